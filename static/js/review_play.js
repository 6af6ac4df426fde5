// Playing a match in review by itself, a step after the other, until its end or until the reader takes over.

import { go, here, takeOver } from "./review_leaf.js";
import { review } from "./review_rounds.js";

const STEP = 1000; // milliseconds that a step lasts at normal speed
let playing = 0;

const button = () => document.getElementById("review-play");
const speed = () => Number(document.getElementById("review-speed").value);
const isLast = () => here() >= Number(review().dataset.last);

function pause() {
  clearTimeout(playing);
  playing = 0;
  show();
}

export function togglePlaying() {
  if (playing) return pause();
  takeOver();
  if (isLast()) go(1);
  playing = setTimeout(next, STEP / speed());
  show();
}

function next() {
  if (isLast()) return pause();
  go(here() + 1);
  playing = setTimeout(next, STEP / speed());
}

function show() {
  const { play, pause: stop } = button().dataset;
  button().classList.toggle("playing", Boolean(playing));
  button().ariaLabel = button().title = playing ? stop : play;
}

// Only scripts play.
function offer() {
  if (!button()) return;
  for (const part of document.querySelectorAll("[data-only-with-script]")) part.hidden = false;
  show();
}

offer();
document.addEventListener("htmx:after:swap", offer);
document.addEventListener("review:own-step", pause);
document.addEventListener("visibilitychange", () => document.hidden && pause());
document.addEventListener("click", (event) => {
  if (event.target.closest("#review-play")) togglePlaying();
});
