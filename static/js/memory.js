// @ts-check
// A checkbox whose state this browser remembers. The state is stored per default, so it resets when the account
// changes the default.

import { forBrowser } from "./fallbacks.js";

/** @param {HTMLInputElement} box @param {string} key @param {boolean} byDefault */
export function remembered(box, key, byDefault) {
  const storageKey = `dominoes-${key}-${byDefault}`;
  box.checked = forBrowser.get(storageKey) ?? byDefault;
  box.addEventListener("change", () => forBrowser.set(storageKey, box.checked));
  return () => box.checked;
}
