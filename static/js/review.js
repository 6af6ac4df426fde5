// The review of a match: steps by keys, links, slider, touch and automatic playback.

import "./copy.js";
import "./explain.js";
import "./review_analysis.js";
import { handleViewKey } from "./camera.js";
import "./review_fit.js";
import "./review_ghost.js";
import { isCommand, keysOf } from "./keys.js";
import { goAsReader, stepOfRound, stepOfTurn, targetStep } from "./review_leaf.js";
import { togglePlaying } from "./review_play.js";
import { review } from "./review_rounds.js";
import { scrollToStep } from "./review_step.js";
import "./review_touch.js";

const DRAG_REST_MS = 120; // rest of a dragged slider before its step is fetched
const KEYS = {
  ArrowLeft: () => targetStep() - 1,
  ArrowRight: () => targetStep() + 1,
  PageUp: () => stepOfRound(-1),
  PageDown: () => stepOfRound(1),
  Home: () => 1,
  End: () => Number(review().dataset.last),
  "[": () => stepOfTurn(-1),
  "]": () => stepOfTurn(1),
};

// Handle a key, and return whether it has a meaning.
function handleKey(key, { shiftKey, target }) {
  if (handleViewKey(key, shiftKey)) return true;
  if (key === "?") document.getElementById("review-keys").togglePopover?.();
  else if (key === " " && !target.closest("button, input, summary, [popover]")) togglePlaying();
  else if (KEYS[key] && !shiftKey) goAsReader(KEYS[key]());
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (isCommand(event) || event.defaultPrevented) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea, .review-values")) return;
  if (keysOf(event).some((key) => handleKey(key, event))) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest('#review a[href^="?at="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  // Button presses add up like key presses: they count from the step that the reader is heading for.
  const offset = { "review-before": -1, "review-after": 1 }[link.id];
  goAsReader(offset ? targetStep() + offset : Number(new URLSearchParams(link.getAttribute("href")).get("at")));
});

document.addEventListener("input", ({ target }) => {
  if (target.id === "review-slider") goAsReader(Number(target.value), DRAG_REST_MS);
});

scrollToStep();
document.addEventListener("htmx:after:swap", ({ detail }) => detail.ctx?.request && scrollToStep());
