// @ts-check
// Touch control of a review: a swipe over the felt or a tap on its left or right part changes the step. A zoomed view
// pans instead.

import { closest, query } from "./dom.js";
import { goAsReader, targetStep } from "./review_leaf.js";

const SWIPE_PX = 40; // shortest swipe
const TAP_SLIP_PX = 8; // how far a tap may slip
const TAP_MS = 300; // longest tap
const SIDE_SHARE = 0.4; // share of the felt's width on either side that reacts to taps
/** @typedef {{ x: number, y: number, time: number }} Point */
/** @type {Point | null} */
let start = null;

const felt = () => /** @type {HTMLElement} */ (query("#review .felt"));
/** @param {Touch} touch @param {Event} event */
const pointOf = ({ clientX: x, clientY: y }, { timeStamp: time }) => ({ x, y, time });

document.addEventListener(
  "touchstart",
  (event) => {
    const isGesture =
      closest(event.target, ".lens") && !felt().classList.contains("zoomed") && event.touches.length === 1;
    start = isGesture ? pointOf(event.touches[0], event) : null;
  },
  { passive: true },
);

document.addEventListener("touchend", (event) => {
  if (!start || event.touches.length) return;
  const up = pointOf(event.changedTouches[0], event);
  const [x, y] = [up.x - start.x, up.y - start.y];
  if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) goAsReader(targetStep() + (x < 0 ? 1 : -1));
  else if (Math.hypot(x, y) < TAP_SLIP_PX && up.time - start.time < TAP_MS) tap(up);
  start = null;
});

/** @param {Point} point */
function tap({ x }) {
  const { left, width } = felt().getBoundingClientRect();
  const share = (x - left) / width;
  if (share < SIDE_SHARE) goAsReader(targetStep() - 1);
  else if (share > 1 - SIDE_SHARE) goAsReader(targetStep() + 1);
}
