// @ts-check
// Tiles fall across the winner's table for two seconds when the match ends.

import { query, queryAll } from "./dom.js";
import { animate, reducedMotion } from "./fallbacks.js";
import { onZone } from "./updates.js";

const table = /** @type {HTMLElement} */ (query(".table"));
const SVG = "http://www.w3.org/2000/svg";
const TILE_COUNT = 18;
const MAX_DURATION_MS = 2000; // including the longest delay
const hasWon = () => query("#result > .headline.won") !== null;
let won = hasWon(); // a page opened after the end does not celebrate

/** @param {number} limit */
const randomUpTo = (limit) => Math.random() * limit;

/** @param {string} name */
function createTile(name) {
  const tile = document.createElementNS(SVG, "svg");
  tile.setAttribute("class", name.length > 3 ? "tile sides-3" : "tile"); // v445, v64
  tile.appendChild(document.createElementNS(SVG, "use")).setAttribute("href", `#${name}`);
  return tile;
}

/** @param {Element} tile @param {number} width @param {number} height */
function animateFall(tile, width, height) {
  const startX = randomUpTo(width);
  const angle = randomUpTo(360);
  const delay = randomUpTo(600);
  const path = {
    translate: [`${startX}px -6rem`, `${startX + randomUpTo(120) - 60}px ${height}px`],
    rotate: [`${angle}deg`, `${angle + randomUpTo(540) - 270}deg`],
  };
  const duration = MAX_DURATION_MS - delay - randomUpTo(400);
  return animate(tile, path, { duration, delay, easing: "cubic-bezier(0.4, 0, 0.9, 0.8)", fill: "both" })?.finished;
}

async function celebrate() {
  const names = queryAll(".sprites symbol[id^=v]").map((symbol) => symbol.id);
  const shower = document.createElement("div");
  shower.className = "falling";
  shower.ariaHidden = "true";
  shower.append(...Array.from({ length: TILE_COUNT }, () => createTile(names[Math.floor(randomUpTo(names.length))])));
  table.append(shower);
  await Promise.allSettled(
    [...shower.children].map((tile) => animateFall(tile, shower.clientWidth, shower.clientHeight)),
  );
  shower.remove();
}

onZone("result", () => {
  const hadWon = won;
  won = hasWon();
  if (won && !hadWon && !reducedMotion.matches) celebrate();
});
