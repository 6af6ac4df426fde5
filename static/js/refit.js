// When a new tile needs a larger view of the table, the drawing moves gently from the old view to the new one.

import { reducedMotion } from "./fallbacks.js";

const drawings = () => [...document.querySelectorAll("#board > svg, #hints > svg")];
const MILLISECONDS = 420;
let before = new Map();

const nameOf = (drawing) => drawing.firstElementChild.id;
const boxOf = (drawing) => drawing.getAttribute("viewBox");

// Return how large a unit is drawn, and what lies in the middle.
function view(box, { clientWidth, clientHeight }) {
  const [x, y, width, height] = box.split(" ").map(Number);
  return { size: Math.min(clientWidth / width, clientHeight / height), x: x + width / 2, y: y + height / 2 };
}

function refit(drawing) {
  const old = before.get(nameOf(drawing));
  if (!old || old === boxOf(drawing) || !drawing.clientWidth) return;
  const [from, to] = [view(old, drawing), view(boxOf(drawing), drawing)];
  const place = `translate(${to.x}px, ${to.y}px) scale(${from.size / to.size}) translate(${-from.x}px, ${-from.y}px)`;
  const timing = { duration: MILLISECONDS, easing: "ease-in-out" };
  drawing.firstElementChild.animate?.({ transform: [place, "none"] }, timing);
}

document.addEventListener("htmx:before:swap", () => {
  before = new Map(drawings().map((drawing) => [nameOf(drawing), boxOf(drawing)]));
});
document.addEventListener("htmx:after:swap", () => {
  if (!reducedMotion.matches) drawings().forEach(refit);
});
