// Shows the tiles of each step of a review as large as the felt allows, if the reader wants it.

import { remembered } from "./memory.js";

const AROUND = 26; // from the middle of a tile past its farthest edge, in units of the drawing
const CLOSER = 2; // times at most
const box = document.getElementById("review-fit");
const wanted = remembered(box, "review-fit", false);

// Return the window that shows all tiles, in the middle, no closer than so many times the usual one.
function fitted(svg, usual) {
  const tiles = [...svg.querySelectorAll("use")];
  if (!tiles.length) return usual;
  const [, , ...least] = usual.split(" ").map((size) => size / CLOSER);
  const spans = ["x", "y"].map((axis, place) => {
    const middles = tiles.map((tile) => Number(tile.getAttribute(axis)));
    const [low, high] = [Math.min(...middles) - AROUND, Math.max(...middles) + AROUND];
    const length = Math.max(least[place], high - low);
    return [(low + high - length) / 2, length];
  });
  return [spans[0][0], spans[1][0], spans[0][1], spans[1][1]].join(" ");
}

// A step that is swapped in brings the usual window, and no note of it.
function fit() {
  for (const svg of document.querySelectorAll("#board svg")) {
    const usual = svg.dataset.usual ?? svg.getAttribute("viewBox");
    svg.setAttribute("viewBox", wanted() ? fitted(svg, usual) : usual);
    if (wanted()) svg.dataset.usual = usual;
    else delete svg.dataset.usual;
  }
}

box.addEventListener("change", fit);
document.addEventListener("htmx:after:swap", fit);
fit();
