// @ts-check
// Drags a tile onto the board or to another position in the hand. A tile dropped anywhere else returns. If the tile's
// places are not shown yet, the drop waits for them.

import { choose, highlight, match, nearest, play, tileOf, whenPlacesShown } from "./choice.js";
import { closest, data, query } from "./dom.js";
import { reorderIfOverHand } from "./sorting.js";
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
 * @property {boolean} hasLeftHand
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
function onPointerMove(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.copy && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_THRESHOLD_PX) return;
  drag.copy ??= showCopy(drag.button);
  drag.button.classList.add("away"); // each time: the update that adds the places also redraws this button
  const box = drag.copy.getBoundingClientRect();
  const [x, y] = [event.clientX - box.width / 2, event.clientY - box.height / 2];
  drag.copy.style.transform = `translate(${x}px, ${y}px)`;
  const isOverHand = reorderIfOverHand(drag.button, event.clientX, event.clientY);
  if (!drag.hasLeftHand && !isOverHand && drag.button.classList.contains("fits")) {
    drag.hasLeftHand = true;
    choose(tileOf(drag.button));
  }
  if (drag.hasLeftHand) highlight(isOverHand ? "" : moveUnder(event));
}

/** @param {PointerEvent} event */
function moveUnder(event) {
  const slot = nearest(event.clientX, event.clientY, DROP_RADIUS_PX);
  return (slot && data(slot).move) ?? "";
}

/** @param {PointerEvent} event */
function end(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { button, copy, hasLeftHand } = drag;
  drag = null;
  if (!copy) return;
  copy.remove();
  button.classList.remove("away");
  swallowClick();
  if (!hasLeftHand) return;
  highlight("");
  whenPlacesShown(() => {
    const isOverHand = reorderIfOverHand(button, event.clientX, event.clientY);
    const move = event.type === "pointerup" && !isOverHand ? moveUnder(event) : "";
    if (move) play(move);
    else choose("");
  });
}

match.addEventListener("pointerdown", (event) => {
  const button = closest(event.target, "#hand .tiles button");
  if (!button || event.button !== 0 || !event.isPrimary) return; // a second finger does not drag
  drag = { button, pointer: event.pointerId, x: event.clientX, y: event.clientY, copy: null, hasLeftHand: false };
});
window.addEventListener("pointermove", onPointerMove);
window.addEventListener("pointerup", end);
window.addEventListener("pointercancel", end);
