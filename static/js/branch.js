// A branch of a match in review. Keys walk through its moves like its links do, and bots' moves play one by one.

import { match } from "./choice.js";
import { isCommand, keysOf } from "./keys.js";
import "./lesson.js";
import { scrollToStep } from "./review_step.js";

const KEYS = { "[": "branch-before", "]": "branch-after" };
const BOT_MOVE_MS = 600; // how long a bot's move stays on screen
let timer = 0;

const click = (id) => document.getElementById(id)?.click();

document.addEventListener("keydown", (event) => {
  if (isCommand(event) || event.defaultPrevented || event.target.closest("input, select, textarea")) return;
  click(KEYS[keysOf(event).find((key) => key in KEYS)]);
});

function update() {
  clearTimeout(timer);
  if ("plays" in match.dataset) timer = setTimeout(() => click("branch-after"), BOT_MOVE_MS);
  scrollToStep();
}

update();
document.addEventListener("htmx:after:swap", update);
