// @ts-check
// Animates the drawing from the old view to the new one when a new tile needs a larger view of the table.

import { queryAll } from "./dom.js";
import { animate, reducedMotion } from "./fallbacks.js";
import { beforeUpdate, onZone } from "./updates.js";

/** @returns {SVGElement[]} */
const drawings = () => queryAll("#board > svg, #hints > svg");
const DURATION_MS = 420;
/** @type {Map<string, string>} */
let oldBoxes = new Map();

/** @param {SVGElement} drawing */
const nameOf = (drawing) => drawing.firstElementChild?.id ?? "";
/** @param {SVGElement} drawing */
const boxOf = (drawing) => drawing.getAttribute("viewBox") ?? "";

// Return the drawn size of a unit and the middle of the view.
/** @param {string} box @param {SVGElement} drawing */
function view(box, { clientWidth, clientHeight }) {
  const [x, y, width, height] = box.split(" ").map(Number);
  return { size: Math.min(clientWidth / width, clientHeight / height), x: x + width / 2, y: y + height / 2 };
}

/** @param {SVGElement} drawing */
function animateView(drawing) {
  const oldBox = oldBoxes.get(nameOf(drawing));
  if (!oldBox || oldBox === boxOf(drawing) || !drawing.clientWidth) return;
  const [from, to] = [view(oldBox, drawing), view(boxOf(drawing), drawing)];
  const scale = from.size / to.size;
  const transform = `translate(${to.x}px, ${to.y}px) scale(${scale}) translate(${-from.x}px, ${-from.y}px)`;
  const timing = { duration: DURATION_MS, easing: "ease-in-out" };
  if (drawing.firstElementChild) animate(drawing.firstElementChild, { transform: [transform, "none"] }, timing);
}

beforeUpdate(() => {
  oldBoxes = new Map(drawings().map((drawing) => [nameOf(drawing), boxOf(drawing)]));
});
onZone(["board", "hints"], () => {
  if (!reducedMotion.matches) drawings().forEach(animateView);
});
