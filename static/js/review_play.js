// @ts-check
// Plays a match in review step by step, until its end or until the reader takes over.

import { closest, data, findById, getById, OWN_STEP, queryAll } from "./dom.js";
import { go, takeOver, targetStep } from "./review_leaf.js";
import { review } from "./review_rounds.js";
import { onUpdate } from "./updates.js";

const STEP_MS = 1000; // duration of a step at normal speed
let timer = 0;

const button = () => getById("review-play");
const speed = () => Number(getById("review-speed").value);
const isLast = () => targetStep() >= Number(data(review()).last);

function pause() {
  clearTimeout(timer);
  timer = 0;
  updateButton();
}

export function togglePlaying() {
  if (timer) return pause();
  takeOver();
  if (isLast()) go(1);
  timer = setTimeout(next, STEP_MS / speed());
  updateButton();
}

function next() {
  if (isLast()) return pause();
  go(targetStep() + 1);
  timer = setTimeout(next, STEP_MS / speed());
}

function updateButton() {
  const { play = "", pause: stop = "" } = data(button());
  button().classList.toggle("playing", Boolean(timer));
  button().ariaLabel = button().title = timer ? stop : play;
}

// Playback needs scripts: show its controls.
function showControls() {
  if (!findById("review-play")) return;
  for (const part of queryAll("[data-only-with-script]")) part.hidden = false;
  updateButton();
}

showControls();
onUpdate(showControls);
document.addEventListener(OWN_STEP, pause);
document.addEventListener("visibilitychange", () => document.hidden && pause());
document.addEventListener("click", (event) => {
  if (closest(event.target, "#review-play")) togglePlaying();
});
