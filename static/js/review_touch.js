// Fingers leaf through a review: a swipe over the felt, or a tap on its left or right half. A closer view is panned.

import { here, step } from "./review_leaf.js";

const FAR = 40; // pixels of a swipe
const NEAR = 8; // pixels that a tap may slip
const SOON = 300; // milliseconds that a tap lasts at most
const MARGIN = 0.4; // the part of the felt on each side that is tapped
let down = null;

const felt = () => document.querySelector("#review .felt");
const pointOf = ({ clientX: x, clientY: y }, { timeStamp: time }) => ({ x, y, time });

document.addEventListener(
  "touchstart",
  (event) => {
    const ours = event.target.closest(".lens") && !felt().classList.contains("zoomed") && event.touches.length === 1;
    down = ours ? pointOf(event.touches[0], event) : null;
  },
  { passive: true },
);

document.addEventListener("touchend", (event) => {
  if (!down || event.touches.length) return;
  const up = pointOf(event.changedTouches[0], event);
  const [x, y] = [up.x - down.x, up.y - down.y];
  if (Math.abs(x) > FAR && Math.abs(x) > 2 * Math.abs(y)) step(here() + (x < 0 ? 1 : -1));
  else if (Math.hypot(x, y) < NEAR && up.time - down.time < SOON) tap(up);
  down = null;
});

function tap({ x }) {
  const { left, width } = felt().getBoundingClientRect();
  const place = (x - left) / width;
  if (place < MARGIN) step(here() - 1);
  else if (place > 1 - MARGIN) step(here() + 1);
}
