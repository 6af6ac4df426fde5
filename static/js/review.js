// Stepping through a match with the keys and the slider. Every step is a link; htmx puts its page in place.

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
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea")) return;
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
