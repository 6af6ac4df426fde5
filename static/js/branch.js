// @ts-check
// A branch of a match in review. Keys walk through its moves like its links do, and bots' moves play one by one.

import { match } from "./choice.js";
import { closest, data, findById } from "./dom.js";
import { isCommand, keysOf } from "./keys.js";
import "./lesson.js";
import { scrollToStep } from "./review_step.js";
import { onUpdate } from "./updates.js";

/** @type {Record<string, "branch-before" | "branch-after">} */
const KEYS = { "[": "branch-before", "]": "branch-after" };
const BOT_MOVE_MS = 600; // how long a bot's move stays on screen
let timer = 0;

document.addEventListener("keydown", (event) => {
  if (isCommand(event) || event.defaultPrevented || closest(event.target, "input, select, textarea")) return;
  const key = keysOf(event).find((key) => key in KEYS);
  if (key) findById(KEYS[key])?.click();
});

function update() {
  clearTimeout(timer);
  if ("plays" in data(match)) timer = setTimeout(() => findById("branch-after")?.click(), BOT_MOVE_MS);
  scrollToStep();
}

update();
onUpdate(update);
