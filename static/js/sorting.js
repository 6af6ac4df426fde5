// @ts-check
// Lets players sort the tiles of their hand, by dragging or with Ctrl and an arrow key. The order is stored in the
// browser tab for the round and never sent. A new hand is sorted before it is shown, so nothing flickers and the order
// of keyboard focus matches.

import { match, tileOf } from "./choice.js";
import { data, findById, query } from "./dom.js";
import { forTab, moveChild } from "./fallbacks.js";
import { beforeUpdate } from "./updates.js";

const status = findById("sorted");
const STORAGE_KEY = `dominoes-hand-${location.pathname}`;
/** @type {{ round?: string, order: string[] }} */
let stored = forTab.get(STORAGE_KEY) ?? { round: "", order: [] };

/** @param {ParentNode} root */
function roundOf(root) {
  const sync = query("#sync", root);
  return sync ? data(sync).round : undefined;
}

/** @param {ParentNode} root */
const listOf = (root) => query("#hand .tiles", root);
/** @param {Element} item */
const keyOf = (item) => item.firstElementChild?.id ?? "";
/** @param {Element} list */
const items = (list) => [...list.children];

/** @param {Element} list */
function store(list) {
  stored = { round: roundOf(match), order: items(list).map(keyOf) };
  forTab.set(STORAGE_KEY, stored);
}

// Sort a list of tiles by the stored order; new tiles go to its end.
/** @param {Element} list */
function sort(list) {
  /** @param {Element} item */
  const rank = (item) => stored.order.indexOf(keyOf(item)) + 1 || Number.POSITIVE_INFINITY;
  const sorted = items(list).sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
  for (const [place, item] of sorted.entries()) {
    if (list.children[place] !== item) list.insertBefore(item, list.children[place]);
  }
}

beforeUpdate(({ contents }) => {
  if ((contents.map(roundOf).find(Boolean) ?? roundOf(match)) !== stored.round) return;
  for (const list of contents.map(listOf)) if (list) sort(list);
});

/** @param {Element} item @param {number} place */
function moveTo(item, place) {
  const list = /** @type {Element} */ (item.parentElement);
  const focused = document.activeElement;
  const rest = items(list).filter((other) => other !== item);
  const before = rest[place] ?? null;
  if (item.nextElementSibling === before) return;
  moveChild(list, item, before);
  if (focused instanceof HTMLElement && item.contains(focused)) focused.focus({ preventScroll: true });
  store(list);
}

// Move a dragged tile to the place in the hand under a point of the screen. Return whether the point is over the hand.
/** @param {Element} button @param {number} x @param {number} y */
export function reorderIfOverHand(button, x, y) {
  const list = listOf(match);
  if (!status || !list) return false;
  const box = list.getBoundingClientRect();
  if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
  const item = document.getElementById(button.id)?.parentElement;
  if (!item) return true;
  /** @param {Element} other */
  const distanceTo = (other) => {
    const otherBox = other.getBoundingClientRect();
    return Math.hypot(otherBox.x + otherBox.width / 2 - x, otherBox.y + otherBox.height / 2 - y);
  };
  const row = items(list);
  const nearest = row.reduce((best, other) => (distanceTo(other) < distanceTo(best) ? other : best));
  moveTo(item, row.indexOf(nearest));
  return true;
}

// Move the focused tile by a number of places, and announce its new place.
/** @param {number} step */
export function sortBy(step) {
  const item = document.activeElement?.closest("#hand .tiles li");
  if (!status || !item) return false;
  const list = /** @type {Element} */ (item.parentElement);
  const place = Math.min(Math.max(items(list).indexOf(item) + step, 0), list.children.length - 1);
  moveTo(item, place);
  /** @type {Record<string, string | number>} */
  const values = { tile: tileOf(item.children[0]), place: place + 1, count: list.children.length };
  status.textContent = (data(status).template ?? "").replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  return true;
}

const hand = listOf(match);
if (hand && stored.round === roundOf(match)) sort(hand);
