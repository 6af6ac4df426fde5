// Single-key shortcuts: digits choose tiles, arrows walk along the tiles or their places, D draws, Escape deselects;
// some zoom and pan the table.

import { handleViewKey } from "./camera.js";
import { choose, chosenTile, isRequesting, match, places, tileOf, tiles, whenPlacesShown } from "./choice.js";
import { isCommand, keysOf } from "./keys.js";
import { remembered } from "./memory.js";
import { sortBy } from "./sorting.js";

const help = match.querySelector(".keys-help");
const enabled = remembered(document.getElementById("use-keys"), "keys", true);
help.hidden = false;

function walkWhenShown(direction) {
  whenPlacesShown(() => walk(direction));
  return true;
}

function walk(direction) {
  const choices = places();
  const row = choices.length ? choices : tiles();
  const index = row.indexOf(document.activeElement);
  const nextIndex = index < 0 ? (choices.length === 2 && direction > 0 ? 1 : 0) : index + direction;
  row[Math.min(Math.max(nextIndex, 0), row.length - 1)]?.focus();
}

function chooseByDigit(key) {
  const button = tiles()[key === "0" ? 9 : Number(key) - 1];
  if (!button) return false;
  button.focus();
  if (button.classList.contains("fits")) choose(tileOf(button));
  return true;
}

// Enter waits for the places that are being requested. It never deselects the tile that was just chosen.
function playFocused() {
  if (!isRequesting() || !document.activeElement.closest("#hand")) return false;
  whenPlacesShown(() => {
    if (places().includes(document.activeElement)) document.activeElement.click();
    else walk(1);
  });
  return true;
}

function deselect() {
  if (!chosenTile()) return false;
  const tile = chosenTile();
  choose("");
  tiles()
    .find((button) => tileOf(button) === tile)
    ?.focus();
  return true;
}

function handleKey(key) {
  if (/^[0-9]$/.test(key)) return chooseByDigit(key);
  if (key === "ArrowLeft") return walkWhenShown(-1);
  if (key === "ArrowRight") return walkWhenShown(1);
  if (key === "Enter") return playFocused();
  if (key === "Escape") return deselect();
  if (key === "d" || key === "D") {
    const draw = document.getElementById("draw");
    draw?.click();
    return Boolean(draw);
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  const offset = event.ctrlKey && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (offset && enabled() && sortBy(offset)) return event.preventDefault();
  if (!enabled() || isCommand(event)) return;
  if (event.target.closest("input, textarea, select, .side")) return;
  if (keysOf(event).some((key) => handleViewKey(key, event.shiftKey) || handleKey(key))) event.preventDefault();
});
