// @ts-check
// Copies the address or piece of code next to a button. Where the browser denies access to the clipboard, it selects
// the text.

import { closest, data } from "./dom.js";

/** @param {HTMLElement} button */
async function copy(button) {
  const { copy: id = "", done = "", chosen = "" } = data(button);
  const line = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (document.getElementById(id));
  const status = /** @type {HTMLElement} */ (document.getElementById(`${id}-copied`));
  try {
    await navigator.clipboard.writeText(line.value);
    status.textContent = done;
  } catch {
    line.select();
    status.textContent = chosen;
  }
}

document.addEventListener("click", (event) => {
  const button = closest(event.target, "[data-copy]");
  if (button) copy(button);
});
