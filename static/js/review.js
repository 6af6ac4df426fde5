// Stepping through a match with the keys and the slider. Every step is a link; htmx puts its page in place.
// Its list is scrolled so that the step is in sight.

import "./copy.js";
import { viewKey } from "./camera.js";

const KEYS = {
  ArrowLeft: "review-before",
  ArrowRight: "review-after",
  PageUp: "review-round-before",
  PageDown: "review-round-after",
  Home: "review-first",
  End: "review-last",
};
const PAUSE = 120; // milliseconds of rest after which a dragged slider shows its step
let resting = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  if (viewKey(event.key, event.shiftKey)) event.preventDefault();
  if (event.shiftKey || event.defaultPrevented) return;
  const way = document.getElementById(KEYS[event.key] ?? "");
  if (!way?.href) return;
  event.preventDefault();
  way.click();
});

document.addEventListener("input", (event) => {
  if (event.target.id !== "review-slider") return;
  clearTimeout(resting);
  resting = setTimeout(() => event.target.form.requestSubmit(), PAUSE);
});

function showStep() {
  const list = document.getElementById("review-steps");
  const line = list?.querySelector("[aria-current]");
  if (!line) return;
  const [seen, at] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
  if (at.top < seen.top || at.bottom > seen.bottom) list.scrollTop += at.top - (seen.top + seen.bottom - at.height) / 2;
}

showStep();
document.addEventListener("htmx:after:swap", showStep);
