// @ts-check
// A task of a lesson: tiles are chosen and played as at a table, but every answer is a page with its own address.

import "./camera.js";
import { match, tileOf } from "./choice.js";
import { data, getById, queryAll, UNSENT } from "./dom.js";
import "./drag.js";
import "./focus.js";
import "./keyboard.js";
import { onFailure, onZone } from "./updates.js";

// Highlight the tile or button that the task names (css/lesson.css).
function highlightNamed() {
  const { named } = data(match);
  /** @type {HTMLButtonElement[]} */
  const buttons = queryAll("#hand button");
  for (const button of buttons) {
    const name = button.closest(".tiles") ? tileOf(button) : button.value;
    button.classList.toggle("named", Boolean(named) && name === named);
  }
}

highlightNamed();
onZone("hand", highlightNamed);

// An answer that cannot be loaded leaves the page as it is.
function showFailure() {
  const message = document.createElement("p");
  message.textContent = data(match).lost ?? "";
  getById("notice").replaceChildren(message);
  match.dispatchEvent(new Event(UNSENT));
}

onFailure(() => true, showFailure);
