// A switch whose state the browser remembers until its default, which an account may set, changes.

import { forBrowser } from "./storage.js";

export function remembered(box, key, standard) {
  const name = `dominoes-${key}-${standard}`;
  box.checked = forBrowser.get(name) ?? standard;
  box.addEventListener("change", () => forBrowser.set(name, box.checked));
  return () => box.checked;
}
