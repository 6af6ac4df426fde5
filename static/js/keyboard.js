// @ts-check
// Single-key shortcuts: digits choose tiles, arrows walk along the tiles or their places, D draws, Escape deselects;
// some zoom and pan the table.

import { handleViewKey } from "./camera.js";
import { choose, chosenTile, isRequesting, match, places, tileOf, tiles, whenPlacesShown } from "./choice.js";
import { closest, findById, getById, query } from "./dom.js";
import { isCommand, keysOf } from "./keys.js";
import { remembered } from "./memory.js";
import { sortBy } from "./sorting.js";

/** @import { FormButton } from "./choice.js" */

const help = /** @type {HTMLElement} */ (query(".keys-help", match));
const enabled = remembered(getById("use-keys"), "keys", true);
help.hidden = false;

/** @param {number} direction */
function walkWhenShown(direction) {
  whenPlacesShown(() => walk(direction));
  return true;
}

/** @param {number} direction */
function walk(direction) {
  const choices = places();
  const row = choices.length ? choices : tiles();
  const index = row.indexOf(/** @type {FormButton} */ (document.activeElement));
  const nextIndex = index < 0 ? (choices.length === 2 && direction > 0 ? 1 : 0) : index + direction;
  row[Math.min(Math.max(nextIndex, 0), row.length - 1)]?.focus();
}

/** @param {string} key */
function chooseByDigit(key) {
  const button = tiles()[key === "0" ? 9 : Number(key) - 1];
  if (!button) return false;
  button.focus();
  if (button.classList.contains("fits")) choose(tileOf(button));
  return true;
}

// Enter waits for the places that are being requested. It never deselects the tile that was just chosen.
function playFocused() {
  if (!isRequesting() || !document.activeElement?.closest("#hand")) return false;
  whenPlacesShown(() => {
    const focused = places().find((place) => place === document.activeElement);
    if (focused) focused.click();
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

/** @param {string} key */
function handleKey(key) {
  if (/^[0-9]$/.test(key)) return chooseByDigit(key);
  if (key === "ArrowLeft") return walkWhenShown(-1);
  if (key === "ArrowRight") return walkWhenShown(1);
  if (key === "Enter") return playFocused();
  if (key === "Escape") return deselect();
  if (key === "d" || key === "D") {
    const draw = findById("draw");
    draw?.click();
    return Boolean(draw);
  }
  return false;
}

/** @type {Record<string, number>} */
const SORTING = { ArrowLeft: -1, ArrowRight: 1 };

document.addEventListener("keydown", (event) => {
  const offset = event.ctrlKey && SORTING[event.key];
  if (offset && enabled() && sortBy(offset)) return event.preventDefault();
  if (!enabled() || isCommand(event)) return;
  if (closest(event.target, "input, textarea, select, .side")) return;
  if (keysOf(event).some((key) => handleViewKey(key, event.shiftKey) || handleKey(key))) event.preventDefault();
});
