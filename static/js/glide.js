// @ts-check
// Lets the tiles of the hand glide to their new places and sizes when one is played or drawn.

import { queryAll } from "./dom.js";
import { animate, reducedMotion } from "./fallbacks.js";
import { beforeUpdate, onZone } from "./updates.js";

const DURATION_MS = 420;
/** @type {Map<string, DOMRect>} */
let oldBoxes = new Map();
/** @type {(Animation | undefined)[]} */
let gliding = [];

const tiles = () => queryAll("#hand .tiles > li");
/** @param {HTMLElement} tile */
const nameOf = (tile) => tile.firstElementChild?.id ?? "";

beforeUpdate(({ zones }) => {
  if (!zones.has("hand")) return;
  oldBoxes = new Map(tiles().map((tile) => [nameOf(tile), tile.getBoundingClientRect()]));
});

/** @param {HTMLElement} tile @param {DOMRect} to */
function glide(tile, to) {
  const from = oldBoxes.get(nameOf(tile));
  if (!from || (from.x === to.x && from.y === to.y && from.width === to.width)) return undefined;
  const path = {
    translate: [`${from.x - to.x}px ${from.y - to.y}px`, "none"],
    scale: [`${from.width / to.width}`, "none"],
    transformOrigin: ["0 0", "0 0"],
  };
  return animate(tile, path, { duration: DURATION_MS, easing: "ease-in-out" });
}

onZone("hand", () => {
  for (const animation of gliding) animation?.cancel();
  const boxes = tiles().map((tile) => tile.getBoundingClientRect()); // all before the first animation
  gliding = reducedMotion.matches ? [] : tiles().map((tile, place) => glide(tile, boxes[place]));
});
