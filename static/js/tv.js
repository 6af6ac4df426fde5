// @ts-check
// Spectator TV: moves on to the next match a few seconds after the current one ends, unless the viewer presses “Stay”.

import { data, getById } from "./dom.js";
import { onZone } from "./updates.js";

const DELAY_SECONDS = 12;
const next = getById("next");
const [link, stay] = /** @type {[HTMLAnchorElement, HTMLButtonElement]} */ (
  /** @type {unknown} */ ([...next.children])
);
let deadline = 0;
let timer = 0;

function tick() {
  const secondsLeft = Math.ceil((deadline - performance.now()) / 1000);
  const number = /** @type {Element} */ (link.lastElementChild);
  number.textContent = String(Math.max(secondsLeft, 0));
  if (secondsLeft <= 0) {
    clearInterval(timer);
    location.replace(link.href);
  }
}

onZone("sync", () => {
  if (deadline || data(getById("sync")).status === "running") return;
  deadline = performance.now() + DELAY_SECONDS * 1000;
  next.hidden = false;
  tick();
  timer = setInterval(tick, 1000);
});
stay.addEventListener("click", () => {
  clearInterval(timer);
  next.hidden = true;
});
