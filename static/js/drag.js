// @ts-check
// Drags a tile to one of its places or to another place in the hand. Dropped elsewhere it goes back. A drop before the
// places are shown waits for them.

import { choose, highlight, match, nearest, play, tileOf, whenPlacesShown } from "./choice.js";
import { closest, data, query } from "./dom.js";
import { sortAt } from "./sorting.js";
import { swallowClick } from "./swallow.js";

const DRAG_THRESHOLD_PX = 9; // a press that moves farther is a drag
const DROP_RADIUS_PX = 90; // a tile dropped this close to a place is played there
/**
 * @typedef {object} Drag
 * @property {HTMLElement} button
 * @property {number} pointer
 * @property {number} x
 * @property {number} y
 * @property {SVGElement | null} copy the drawing under the finger
 * @property {boolean} leaves whether the tile has left the hand
 */
/** @type {Drag | null} */
let drag = null;

/** @param {HTMLElement} button */
function showCopy(button) {
  const box = button.getBoundingClientRect();
  const copy = /** @type {SVGElement} */ (query("svg", button)?.cloneNode(true));
  copy.classList.add("dragged");
  copy.style.width = `${box.width}px`;
  copy.style.height = `${box.height}px`;
  document.body.append(copy);
  return copy;
}

/** @param {PointerEvent} event */
function move(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.copy && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_THRESHOLD_PX) return;
  drag.copy ??= showCopy(drag.button);
  drag.button.classList.add("away"); // on every move: the frame that brings the places redraws the tile
  const box = drag.copy.getBoundingClientRect();
  const [x, y] = [event.clientX - box.width / 2, event.clientY - box.height / 2];
  drag.copy.style.transform = `translate(${x}px, ${y}px)`;
  const inHand = sortAt(drag.button, event.clientX, event.clientY);
  if (!drag.leaves && !inHand && drag.button.classList.contains("fits")) {
    drag.leaves = true;
    choose(tileOf(drag.button));
  }
  if (drag.leaves) highlight(inHand ? "" : moveAt(event));
}

/** @param {PointerEvent} event */
function moveAt(event) {
  const slot = nearest(event.clientX, event.clientY, DROP_RADIUS_PX);
  return (slot && data(slot).move) ?? "";
}

/** @param {PointerEvent} event */
function end(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { button, copy, leaves } = drag;
  drag = null;
  if (!copy) return;
  copy.remove();
  button.classList.remove("away");
  swallowClick();
  if (!leaves) return;
  highlight("");
  whenPlacesShown(() => {
    const dropped = event.type === "pointerup" && !sortAt(button, event.clientX, event.clientY);
    const move = dropped ? moveAt(event) : "";
    if (move) play(move);
    else choose("");
  });
}

match.addEventListener("pointerdown", (event) => {
  const button = closest(event.target, "#hand .tiles button");
  if (!button || event.button !== 0 || !event.isPrimary) return; // a second finger does not drag
  drag = { button, pointer: event.pointerId, x: event.clientX, y: event.clientY, copy: null, leaves: false };
});
window.addEventListener("pointermove", move);
window.addEventListener("pointerup", end);
window.addEventListener("pointercancel", end);
