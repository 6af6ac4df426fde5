// A branch of a match in review: back and forth among its moves by keys as by links; what bots have played is shown one
// move after the other.

import { match } from "./choice.js";
import { isCommand, keysOf } from "./keys.js";
import "./lesson.js";
import { scrollToStep } from "./review_step.js";

const KEYS = { "[": "branch-before", "]": "branch-after" };
const TEMPO = 600; // milliseconds that a move of a bot is looked at
let playing = 0;

const press = (id) => document.getElementById(id)?.click();

document.addEventListener("keydown", (event) => {
  if (isCommand(event) || event.defaultPrevented || event.target.closest("input, select, textarea")) return;
  press(KEYS[keysOf(event).find((key) => key in KEYS)]);
});

function show() {
  clearTimeout(playing);
  if ("plays" in match.dataset) playing = setTimeout(() => press("branch-after"), TEMPO);
  scrollToStep();
}

show();
document.addEventListener("htmx:after:swap", show);
