// Stepping through a match by keys and slider. Every step is a link whose page htmx swaps in; the list of steps
// scrolls so that the current one is visible.

import "./copy.js";
import "./explain.js";
import { viewKey } from "./camera.js";

const KEYS = {
  ArrowLeft: "review-before",
  ArrowRight: "review-after",
  PageUp: "review-round-before",
  PageDown: "review-round-after",
  Home: "review-first",
  End: "review-last",
};
const PAUSE = 120; // milliseconds without movement after which a dragged slider shows its step
let resting = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, .review-values")) return;
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
  if (at.top < seen.top || at.bottom > seen.bottom)
    list.scrollTop += at.top - (seen.top + seen.bottom - at.height) / 2;
}

// The bot's analysis replaces the button that asked for it: the focus moves to its title, and it is announced.
let pressed = false;
document.addEventListener("htmx:before:swap", () => {
  pressed = document.activeElement?.id === "ask-analysis";
});
document.addEventListener("htmx:after:swap", () => {
  const told = document.getElementById("analysis-said");
  if (!told) return;
  const text = document.querySelector(".analysis [data-said]")?.dataset.said ?? "";
  if (told.textContent !== text) told.textContent = text;
  if (pressed && document.activeElement === document.body)
    document.getElementById("analysis-title").focus({ preventScroll: true });
});

showStep();
document.addEventListener("htmx:after:swap", showStep);
