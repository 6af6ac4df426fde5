// @ts-check
// Shows the tiles of every step of a review as large as the felt allows, if the viewer has turned this on.

import { data, getById, queryAll } from "./dom.js";
import { remembered } from "./memory.js";
import { onZone } from "./updates.js";

const TILE_MARGIN = 26; // from the middle of a tile past its farthest edge, in units of the drawing
const MAX_ZOOM = 2; // relative to the usual view box
const box = getById("review-fit");
const isEnabled = remembered(box, "review-fit", false);

// Return the smallest view box that shows all tiles, limited by MAX_ZOOM.
/** @param {SVGElement} svg @param {string} usual */
function fittedBox(svg, usual) {
  const tiles = queryAll("use", svg);
  if (!tiles.length) return usual;
  const [, , ...minSizes] = usual.split(" ").map((size) => Number(size) / MAX_ZOOM);
  const spans = ["x", "y"].map((axis, index) => {
    const middles = tiles.map((tile) => Number(tile.getAttribute(axis)));
    const [low, high] = [Math.min(...middles) - TILE_MARGIN, Math.max(...middles) + TILE_MARGIN];
    const length = Math.max(minSizes[index], high - low);
    return [(low + high - length) / 2, length];
  });
  return [spans[0][0], spans[1][0], spans[0][1], spans[1][1]].join(" ");
}

// The markup of a new step has its usual view box. While it is zoomed, the usual one is in its data-usual.
function update() {
  /** @type {SVGElement[]} */
  const drawings = queryAll("#board svg");
  for (const svg of drawings) {
    const usual = data(svg).usual ?? svg.getAttribute("viewBox") ?? "";
    svg.setAttribute("viewBox", isEnabled() ? fittedBox(svg, usual) : usual);
    if (isEnabled()) data(svg).usual = usual;
    else delete data(svg).usual;
  }
}

box.addEventListener("change", update);
onZone("board", update);
update();
