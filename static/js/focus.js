// @ts-check
// Returns the focus to its zone after a move has removed the pressed button.

import { closest, findById, query, queryAll } from "./dom.js";
import { forTab } from "./fallbacks.js";
import { beforeUpdate, onUpdate } from "./updates.js";

const ZONES = "#hand, #result, #seats";
const MUTING = 'button[form="mute"]'; // muting replaces the button by the one that unmutes
/** @type {string | null} */
let zone = null;
let isMuting = false;

beforeUpdate(() => {
  isMuting = document.activeElement?.matches(MUTING) ?? false;
  zone = document.activeElement?.closest(ZONES)?.id ?? null;
});

onUpdate(() => {
  for (const messages of queryAll(".messages")) messages.scrollTop = messages.scrollHeight;
  if (zone && isFocusLost(document.activeElement)) focusZone(zone);
  if (isMuting)
    queryAll(MUTING)
      .find((button) => button.getClientRects().length)
      ?.focus();
});

// A zone that has the focus itself keeps it only until it contains something to press.
/** @param {Element | null} focused */
const isFocusLost = (focused) => !focused || focused === document.body || focused.id === "hand";

/** @param {string} id */
function focusZone(id) {
  const target = query(`#${id} :is(.tiles .fits, .act, .tiles button)`) ?? findById("hand");
  target?.focus({ preventScroll: true });
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
