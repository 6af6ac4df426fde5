// A task of a lesson: tiles are chosen and played as at a table, but every answer is a page with its own address.

import "./camera.js";
import "./drag.js";
import "./focus.js";
import "./keyboard.js";

// What the task names, a tile or a button, stands out (css/lesson.css).
function point() {
  const { named } = document.getElementById("match").dataset;
  for (const button of document.querySelectorAll("#hand button")) {
    const meant = button.dataset.tile ?? button.value;
    button.classList.toggle("named", Boolean(named) && meant === named);
  }
}

point();
document.addEventListener("htmx:after:swap", point);
