// One's own tiles in an order of one's own: dragged within the hand, or moved by Ctrl and an arrow. The browser keeps
// it for the round and the tab; nothing of it is sent. A frame is sorted before it is swapped in, so nothing flickers
// and the order of the keyboard is the one that is seen.

import { match, tileOf } from "./choice.js";
import { forTab } from "./storage.js";

const said = document.getElementById("sorted");
const MEMORY = `dominoes-hand-${location.pathname}`;
let memory = forTab.get(MEMORY) ?? { round: "", order: [] };

const roundOf = (root) => root.querySelector("#sync")?.dataset.round;
const listOf = (root) => root.querySelector("#hand .tiles");
const keyOf = (item) => item.firstElementChild.id;
const items = (list) => [...list.children];

function keep() {
  memory = { round: roundOf(match), order: items(listOf(match)).map(keyOf) };
  forTab.set(MEMORY, memory);
}

// Bring a list of tiles into the order that is kept; what came since stands at its end.
function sort(list) {
  const rank = (item) => memory.order.indexOf(keyOf(item)) + 1 || Number.POSITIVE_INFINITY;
  const sorted = items(list).sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
  for (const [place, item] of sorted.entries()) {
    if (list.children[place] !== item) list.insertBefore(item, list.children[place]);
  }
}

document.addEventListener("htmx:before:swap", (event) => {
  const fragments = (event.detail.tasks ?? []).map((task) => task.fragment).filter(Boolean);
  if ((fragments.map(roundOf).find(Boolean) ?? roundOf(match)) !== memory.round) return;
  for (const list of fragments.map(listOf).filter(Boolean)) sort(list);
});

function put(item, place) {
  const list = item.parentElement;
  const focused = document.activeElement;
  const rest = items(list).filter((each) => each !== item);
  const before = rest[place] ?? null;
  if (item.nextElementSibling === before) return;
  if (list.moveBefore) list.moveBefore(item, before);
  else list.insertBefore(item, before);
  if (item.contains(focused)) focused.focus({ preventScroll: true });
  keep();
}

// Return whether a point of the screen is over the hand, and bring a tile that is dragged there to its place.
export function sortAt(button, x, y) {
  const list = listOf(match);
  if (!said || !list) return false;
  const box = list.getBoundingClientRect();
  if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
  const item = document.getElementById(button.id)?.parentElement;
  if (!item) return true;
  const away = (each) => {
    const seat = each.getBoundingClientRect();
    return Math.hypot(seat.x + seat.width / 2 - x, seat.y + seat.height / 2 - y);
  };
  const row = items(list);
  const nearest = row.reduce((best, each) => (away(each) < away(best) ? each : best));
  put(item, row.indexOf(nearest));
  return true;
}

// Move the focused tile by so many places, and say where it is now.
export function sortBy(step) {
  const item = document.activeElement?.closest("#hand .tiles li");
  if (!said || !item) return false;
  const list = item.parentElement;
  const place = Math.min(Math.max(items(list).indexOf(item) + step, 0), list.children.length - 1);
  put(item, place);
  const words = { tile: tileOf(item.firstElementChild), place: place + 1, count: list.children.length };
  said.textContent = said.dataset.said.replace(/\{(\w+)\}/g, (_, name) => words[name]);
  return true;
}

if (listOf(match) && memory.round === roundOf(match)) sort(listOf(match));
