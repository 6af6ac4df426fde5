// When more is laid, the server shows more of the table. A frame that brings a tile brings the new view with it, and the
// drawing moves gently from the old one to that.

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

// What comes after the last tile names the view. A page that fits the view itself keeps its own until there is another.
const named = (drawing) => drawing.firstElementChild.lastElementChild?.dataset.window;

function show(drawing) {
  const window = named(drawing);
  if (window && before.get(nameOf(drawing))?.named !== window) drawing.setAttribute("viewBox", window);
}

function refit(drawing) {
  const old = before.get(nameOf(drawing))?.shown;
  if (!old || old === boxOf(drawing) || !drawing.clientWidth) return;
  const [from, to] = [view(old, drawing), view(boxOf(drawing), drawing)];
  const place = `translate(${to.x}px, ${to.y}px) scale(${from.size / to.size}) translate(${-from.x}px, ${-from.y}px)`;
  const timing = { duration: MILLISECONDS, easing: "ease-in-out" };
  drawing.firstElementChild.animate?.({ transform: [place, "none"] }, timing);
}

document.addEventListener("htmx:before:swap", () => {
  const views = (drawing) => ({ shown: boxOf(drawing), named: named(drawing) });
  before = new Map(drawings().map((drawing) => [nameOf(drawing), views(drawing)]));
});
document.addEventListener("htmx:after:swap", () => {
  drawings().forEach(show);
  if (!reducedMotion.matches) drawings().forEach(refit);
});
