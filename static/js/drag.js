// Dragging a tile to one of its places, or to another place in the hand; dropped elsewhere it does nothing. A drop before
// the places are there waits.

import { choose, light, match, nearest, play, tileOf, whenShown } from "./choice.js";
import { sortAt } from "./sorting.js";
import { swallowClick } from "./swallow.js";

const FAR = 9; // pixels after which a press is a drag
const NEAR = 90; // pixels from a place within which letting go plays there
let drag = null;

function begin() {
  const { button } = drag;
  const box = button.getBoundingClientRect();
  drag.copy = button.querySelector("svg").cloneNode(true);
  drag.copy.classList.add("dragged");
  drag.copy.style.width = `${box.width}px`;
  drag.copy.style.height = `${box.height}px`;
  document.body.append(drag.copy);
}

function move(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.copy && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
  if (!drag.copy) begin();
  drag.button.classList.add("away"); // on every move, for the frame that brings the places redraws the tile
  const box = drag.copy.getBoundingClientRect();
  const [x, y] = [event.clientX - box.width / 2, event.clientY - box.height / 2];
  drag.copy.style.transform = `translate(${x}px, ${y}px)`;
  const inHand = sortAt(drag.button, event.clientX, event.clientY);
  if (!drag.leaves && !inHand && drag.button.classList.contains("fits")) {
    drag.leaves = true;
    choose(tileOf(drag.button));
  }
  if (drag.leaves) light(inHand ? "" : (nearest(event.clientX, event.clientY, NEAR)?.dataset.move ?? ""));
}

function end(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { button, copy, leaves } = drag;
  drag = null;
  if (!copy) return;
  copy.remove();
  button.classList.remove("away");
  swallowClick();
  if (!leaves) return;
  light("");
  whenShown(() => {
    const dropped = event.type === "pointerup" && !sortAt(button, event.clientX, event.clientY);
    const slot = dropped ? nearest(event.clientX, event.clientY, NEAR) : null;
    if (slot) play(slot.dataset.move);
    else choose("");
  });
}

match.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("#hand .tiles button");
  if (!button || event.button !== 0 || !event.isPrimary) return; // a second finger drags nothing
  drag = { button, pointer: event.pointerId, x: event.clientX, y: event.clientY, copy: null, leaves: false };
});
window.addEventListener("pointermove", move);
window.addEventListener("pointerup", end);
window.addEventListener("pointercancel", end);
