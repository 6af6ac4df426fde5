// @ts-check
// The review of a match: steps by keys, links, slider, touch and automatic playback.

import "./copy.js";
import { closest, data, findById, getById } from "./dom.js";
import "./explain.js";
import "./review_analysis.js";
import { handleViewKey } from "./camera.js";
import "./review_fit.js";
import "./review_ghost.js";
import { isCommand, keysOf } from "./keys.js";
import { goAsReader, stepOfRound, stepOfTurn, targetStep } from "./review_leaf.js";
import { togglePlaying } from "./review_play.js";
import { showBoard } from "./review_report.js";
import { scrollToStep } from "./review_step.js";
import "./review_touch.js";
import { onUpdate } from "./updates.js";

const DRAG_REST_MS = 120; // rest of a dragged slider before its step is fetched
/** @type {Record<string, () => number>} */
const KEYS = {
  ArrowLeft: () => targetStep() - 1,
  ArrowRight: () => targetStep() + 1,
  PageUp: () => stepOfRound(-1),
  PageDown: () => stepOfRound(1),
  Home: () => 1,
  End: () => Number(data(getById("review")).last),
  "[": () => stepOfTurn(-1),
  "]": () => stepOfTurn(1),
};

// Handle a key, and return whether it has a meaning.
/** @param {string} key @param {KeyboardEvent} event */
function handleKey(key, { shiftKey, target }) {
  if (handleViewKey(key, shiftKey)) return true;
  if (key === "?") getById("review-keys").togglePopover?.();
  else if (key === " " && !closest(target, "button, input, summary, [popover]")) togglePlaying();
  else if (KEYS[key] && !shiftKey) goAsReader(KEYS[key]());
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (isCommand(event) || event.defaultPrevented) return;
  if (closest(event.target, "input:not([type=checkbox]), select, textarea, .review-values")) return;
  if (keysOf(event).some((key) => handleKey(key, event))) event.preventDefault();
});

document.addEventListener("click", (event) => {
  /** @type {Element | null} */
  const link = closest(event.target, '#review a[href^="?at="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  // Button presses add up like key presses: they count from the step that the reader is heading for.
  if (link === findById("review-before")) goAsReader(targetStep() - 1);
  else if (link === findById("review-after")) goAsReader(targetStep() + 1);
  else goAsReader(Number(new URLSearchParams(link.getAttribute("href") ?? "").get("at"))); // SVG links have no search
  showBoard(link);
});

document.addEventListener("input", ({ target }) => {
  const slider = findById("review-slider");
  if (target === slider) goAsReader(Number(slider?.value), DRAG_REST_MS);
});

scrollToStep();
onUpdate(({ request }) => {
  if (request) scrollToStep();
});
