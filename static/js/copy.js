// @ts-check
// Copies the address or piece of code next to a button. Where the browser denies access to the clipboard, it selects
// the text.

import { closest, data } from "./dom.js";
import { copyText } from "./fallbacks.js";

/** @param {HTMLElement} button */
async function copy(button) {
  const { copy: id = "", done = "", chosen = "" } = data(button);
  const line = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (document.getElementById(id));
  const status = /** @type {HTMLElement} */ (document.getElementById(`${id}-copied`));
  const isCopied = await copyText(line.value);
  if (!isCopied) line.select();
  status.textContent = isCopied ? done : chosen;
}

document.addEventListener("click", (event) => {
  const button = closest(event.target, "[data-copy]");
  if (button) copy(button);
});
