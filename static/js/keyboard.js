// Single keys: digits choose tiles, arrows walk along the tiles or their places, D draws, Escape unselects; some zoom
// and pan the table.

import { viewKey } from "./camera.js";
import { asking, choose, chosenTile, match, places, tileOf, tiles, whenShown } from "./choice.js";
import { isCommand, keysOf } from "./keys.js";
import { remembered } from "./memory.js";
import { sortBy } from "./sorting.js";

const help = match.querySelector(".keys-help");
const enabled = remembered(document.getElementById("use-keys"), "keys", true);
help.hidden = false;

function step(direction) {
  whenShown(() => walk(direction));
  return true;
}

function walk(direction) {
  const ends = places();
  const row = ends.length ? ends : tiles();
  const at = row.indexOf(document.activeElement);
  const next = at < 0 ? (ends.length === 2 && direction > 0 ? 1 : 0) : at + direction;
  row[Math.min(Math.max(next, 0), row.length - 1)]?.focus();
}

function digit(key) {
  const button = tiles()[key === "0" ? 9 : Number(key) - 1];
  if (!button) return false;
  button.focus();
  if (button.classList.contains("fits")) choose(tileOf(button));
  return true;
}

// Enter before the places are there waits for them. It never unselects the tile that was just chosen.
function enter() {
  if (!asking() || !document.activeElement.closest("#hand")) return false;
  whenShown(() => {
    if (places().includes(document.activeElement)) document.activeElement.click();
    else walk(1);
  });
  return true;
}

function letGo() {
  if (!chosenTile()) return false;
  const tile = chosenTile();
  choose("");
  tiles()
    .find((button) => tileOf(button) === tile)
    ?.focus();
  return true;
}

function act(key) {
  if (/^[0-9]$/.test(key)) return digit(key);
  if (key === "ArrowLeft") return step(-1);
  if (key === "ArrowRight") return step(1);
  if (key === "Enter") return enter();
  if (key === "Escape") return letGo();
  if (key === "d" || key === "D") {
    const draw = document.getElementById("draw");
    draw?.click();
    return Boolean(draw);
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  const way = event.ctrlKey && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (way && enabled() && sortBy(way)) return event.preventDefault();
  if (!enabled() || isCommand(event)) return;
  if (event.target.closest("input, textarea, select, .side")) return;
  if (keysOf(event).some((key) => viewKey(key, event.shiftKey) || act(key))) event.preventDefault();
});
