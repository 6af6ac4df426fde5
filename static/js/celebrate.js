// Tiles fall for two seconds before the eyes of the winner, once, when the match ends.

import { reducedMotion } from "./fallbacks.js";

const table = document.querySelector(".table");
const SVG = "http://www.w3.org/2000/svg";
const TILES = 18;
const LONGEST = 2000; // milliseconds, the latest start included
const hasWon = () => document.querySelector("#result > .headline.won") !== null;
let won = hasWon(); // a page opened after the end has nothing to celebrate

const upTo = (most) => Math.random() * most;

function drawing(name) {
  const tile = document.createElementNS(SVG, "svg");
  tile.setAttribute("class", name.length > 3 ? "tile sides-3" : "tile"); // v445, v64
  tile.appendChild(document.createElementNS(SVG, "use")).setAttribute("href", `#${name}`);
  return tile;
}

function fall(tile, width, height) {
  const left = upTo(width);
  const turned = upTo(360);
  const delay = upTo(600);
  const path = {
    translate: [`${left}px -6rem`, `${left + upTo(120) - 60}px ${height}px`],
    rotate: [`${turned}deg`, `${turned + upTo(540) - 270}deg`],
  };
  const duration = LONGEST - delay - upTo(400);
  return tile.animate?.(path, { duration, delay, easing: "cubic-bezier(0.4, 0, 0.9, 0.8)", fill: "both" })?.finished;
}

async function celebrate() {
  const names = [...document.querySelectorAll(".sprites symbol[id^=v]")].map((symbol) => symbol.id);
  const shower = document.createElement("div");
  shower.className = "falling";
  shower.ariaHidden = "true";
  shower.append(...Array.from({ length: TILES }, () => drawing(names[Math.floor(upTo(names.length))])));
  table.append(shower);
  await Promise.allSettled([...shower.children].map((tile) => fall(tile, shower.clientWidth, shower.clientHeight)));
  shower.remove();
}

document.addEventListener("htmx:after:swap", () => {
  const before = won;
  won = hasWon();
  if (won && !before && !reducedMotion.matches) celebrate();
});
