// The review of a match: stepping by keys, links, slider and fingers, and by itself.

import "./copy.js";
import "./explain.js";
import "./review_analysis.js";
import { viewKey } from "./camera.js";
import "./review_fit.js";
import "./review_ghost.js";
import { isCommand, keysOf } from "./keys.js";
import { byRound, here, step, turn } from "./review_leaf.js";
import { togglePlaying } from "./review_play.js";
import { review } from "./review_rounds.js";
import { scrollToStep } from "./review_step.js";
import "./review_touch.js";

const DRAG = 120; // milliseconds without movement after which a dragged slider fetches its step
const KEYS = {
  ArrowLeft: () => here() - 1,
  ArrowRight: () => here() + 1,
  PageUp: () => byRound(-1),
  PageDown: () => byRound(1),
  Home: () => 1,
  End: () => Number(review().dataset.last),
  "[": () => turn(-1),
  "]": () => turn(1),
};

// Do what a key asks, and return whether it asks for anything.
function act(key, { shiftKey, target }) {
  if (viewKey(key, shiftKey)) return true;
  if (key === "?") document.getElementById("review-keys").togglePopover?.();
  else if (key === " " && !target.closest("button, input, summary, [popover]")) togglePlaying();
  else if (KEYS[key] && !shiftKey) step(KEYS[key]());
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (isCommand(event) || event.defaultPrevented) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea, .review-values")) return;
  if (keysOf(event).some((key) => act(key, event))) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest('#review a[href^="?at="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  // The buttons add up like keys: what they lead to is reckoned from where the reader wants to be.
  const by = { "review-before": -1, "review-after": 1 }[link.id];
  step(by ? here() + by : Number(new URLSearchParams(link.getAttribute("href")).get("at")));
});

document.addEventListener("input", ({ target }) => {
  if (target.id === "review-slider") step(Number(target.value), DRAG);
});

scrollToStep();
document.addEventListener("htmx:after:swap", ({ detail }) => detail.ctx?.request && scrollToStep());
