// A task of a lesson: tiles are chosen and played as at a table, but every answer is a page with its own address.

import "./camera.js";
import { match, tileOf } from "./choice.js";
import "./drag.js";
import "./focus.js";
import "./keyboard.js";

// What the task names, a tile or a button, stands out (css/lesson.css).
function point() {
  const { named } = match.dataset;
  for (const button of document.querySelectorAll("#hand button")) {
    const meant = button.closest(".tiles") ? tileOf(button) : button.value;
    button.classList.toggle("named", Boolean(named) && meant === named);
  }
}

point();
document.addEventListener("htmx:after:swap", point);

// What cannot be had leaves the page as it is.
function refuse() {
  const told = document.createElement("p");
  told.textContent = match.dataset.lost;
  document.getElementById("notice").replaceChildren(told);
  match.dispatchEvent(new Event("unsent"));
}

document.addEventListener("htmx:before:swap", (event) => {
  if (!(event.detail.ctx.response?.status >= 400)) return;
  event.preventDefault();
  refuse();
});
document.addEventListener("htmx:error", refuse);
