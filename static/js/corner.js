// @ts-check
// Places the zoom buttons in a corner of the felt where they cover nothing, or at least no tile. They move only when
// something covers their corner. If tiles are in every corner, the buttons disappear: there are other ways to zoom.

import { data, getById, query, queryAll } from "./dom.js";
import { animationsIn } from "./fallbacks.js";

const lens = getById("lens");
const buttons = getById("zoom");
const CORNERS = ["bottom-right", "bottom-left", "top-right", "top-left"];
const TILES = "#board use";
const OBSTACLES = `${TILES}, .hint-switch, .face-up, #result:not([hidden])`;
const MARGIN_PX = 3; // space around the buttons

/** @param {Element} element */
const boxOf = (element) => element.getBoundingClientRect();

/** @param {DOMRect} sign @param {DOMRect} box */
function covers(sign, box) {
  const overlapsHorizontally = sign.left - MARGIN_PX < box.right && box.left < sign.right + MARGIN_PX;
  return overlapsHorizontally && sign.top - MARGIN_PX < box.bottom && box.top < sign.bottom + MARGIN_PX;
}

/** @param {DOMRect[]} obstacles */
function isFree(obstacles) {
  const sign = boxOf(query(".sign", buttons) ?? buttons);
  return !obstacles.some((box) => covers(sign, box));
}

const table = /** @type {HTMLElement} */ (lens.closest(".table"));

function chooseCorner() {
  if (lens.parentElement?.classList.contains("zoomed")) return;
  const current = data(buttons).corner || CORNERS[0];
  for (const selector of [OBSTACLES, TILES]) {
    const obstacles = queryAll(selector, table)
      .map(boxOf)
      .filter((box) => box.width);
    for (const corner of [current, ...CORNERS]) {
      data(buttons).corner = corner;
      if (isFree(obstacles)) return;
    }
  }
  data(buttons).corner = "";
}

// Choose the corner once the tiles have stopped moving: a growing table moves them for a moment.
export function keepClear() {
  const moving = animationsIn(lens).filter((animation) => animation.effect?.getTiming().iterations === 1);
  Promise.allSettled(moving.map((animation) => animation.finished)).then(chooseCorner);
}
