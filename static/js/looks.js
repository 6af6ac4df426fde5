// @ts-check
// Applies a felt or tile design chosen at the table at once, and saves it.

import { findById } from "./dom.js";

const form = findById("looks");

form?.addEventListener("change", ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement} */ (target);
  document.documentElement.setAttribute(`data-${name}`, value);
  fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
});
