// Drags a tile to one of its places or to another place in the hand. Dropped elsewhere it goes back. A drop before the
// places are shown waits for them.

import { choose, highlight, match, nearest, play, tileOf, whenPlacesShown } from "./choice.js";
import { sortAt } from "./sorting.js";
import { swallowClick } from "./swallow.js";

const DRAG_THRESHOLD_PX = 9; // a press that moves farther is a drag
const DROP_RADIUS_PX = 90; // a tile dropped this close to a place is played there
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
  if (!drag.copy && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_THRESHOLD_PX) return;
  if (!drag.copy) begin();
  drag.button.classList.add("away"); // on every move: the frame that brings the places redraws the tile
  const box = drag.copy.getBoundingClientRect();
  const [x, y] = [event.clientX - box.width / 2, event.clientY - box.height / 2];
  drag.copy.style.transform = `translate(${x}px, ${y}px)`;
  const inHand = sortAt(drag.button, event.clientX, event.clientY);
  if (!drag.leaves && !inHand && drag.button.classList.contains("fits")) {
    drag.leaves = true;
    choose(tileOf(drag.button));
  }
  if (drag.leaves)
    highlight(inHand ? "" : (nearest(event.clientX, event.clientY, DROP_RADIUS_PX)?.dataset.move ?? ""));
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
  highlight("");
  whenPlacesShown(() => {
    const dropped = event.type === "pointerup" && !sortAt(button, event.clientX, event.clientY);
    const slot = dropped ? nearest(event.clientX, event.clientY, DROP_RADIUS_PX) : null;
    if (slot) play(slot.dataset.move);
    else choose("");
  });
}

match.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("#hand .tiles button");
  if (!button || event.button !== 0 || !event.isPrimary) return; // a second finger does not drag
  drag = { button, pointer: event.pointerId, x: event.clientX, y: event.clientY, copy: null, leaves: false };
});
window.addEventListener("pointermove", move);
window.addEventListener("pointerup", end);
window.addEventListener("pointercancel", end);
