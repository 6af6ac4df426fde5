// @ts-check
// Returns the focus to its zone after a move has removed the pressed button, and puts it on a tile that fits as soon as
// it is the player's turn.

import { isMyTurn } from "./choice.js";
import { closest, findById, query, queryAll } from "./dom.js";
import { forTab } from "./fallbacks.js";
import { beforeUpdate, onUpdate } from "./updates.js";

const ZONES = "#hand, #result, #seats";
// Where the focus goes in a zone: to something that continues the match, otherwise to a tile or another button.
const TARGETS = [":is(.tiles .fits, .act)", ".tiles button", ".task :is(button, .button)"];
const MUTING = 'button[form="mute"]'; // muting replaces the button by the one that unmutes
/** @type {string | null} */
let zone = null;
let isMuting = false;
let wasMyTurn = isMyTurn();

beforeUpdate(() => {
  isMuting = document.activeElement?.matches(MUTING) ?? false;
  zone = document.activeElement?.closest(ZONES)?.id ?? null;
});

onUpdate(() => {
  for (const messages of queryAll(".messages")) messages.scrollTop = messages.scrollHeight;
  if (zone && (isFocusLost(document.activeElement) || isOnUselessTile())) focusZone(zone);
  wasMyTurn = isMyTurn();
  if (isMuting)
    queryAll(MUTING)
      .find((button) => button.getClientRects().length)
      ?.focus();
});

// A zone that has the focus itself keeps it only until it contains something to press.
/** @param {Element | null} focused */
const isFocusLost = (focused) => !focused || focused === document.body || focused.id === "hand";

// While others move, all tiles are alike. At the beginning of the turn the focus may be on one that does not fit.
function isOnUselessTile() {
  return !wasMyTurn && isMyTurn() && document.activeElement?.matches("#hand .tiles button:not(.fits)");
}

/** @param {string} id */
function focusZone(id) {
  /** @type {HTMLElement[]} */
  const targets = TARGETS.flatMap((target) => query(`#${id} ${target}`) ?? []);
  (targets[0] ?? findById("hand"))?.focus({ preventScroll: true });
}

// A button that reloads the page, pressed by key, loses the focus as well.
const PRESSED_BY_KEY = "pressed-by-key";
document.addEventListener("submit", ({ target, submitter }) => {
  if (closest(target, "#match") && submitter?.matches(":focus-visible")) forTab.set(PRESSED_BY_KEY, true);
});
if (forTab.get(PRESSED_BY_KEY)) {
  forTab.remove(PRESSED_BY_KEY);
  focusZone("hand");
}
