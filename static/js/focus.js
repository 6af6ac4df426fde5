// After a move the pressed button is gone. The focus then returns to its zone, not to the top of the page.

import { forTab } from "./storage.js";

const ZONES = "#hand, #result, #seats";
const MUTING = 'button[form="mute"]'; // one mutes the table, and in its place another takes it back
let zone = null;
let isMuting = false;

document.addEventListener("htmx:before:swap", () => {
  isMuting = document.activeElement?.matches(MUTING) ?? false;
  zone = document.activeElement?.closest(ZONES)?.id ?? null;
});

document.addEventListener("htmx:after:swap", () => {
  for (const messages of document.querySelectorAll(".messages")) messages.scrollTop = messages.scrollHeight;
  if (zone && isLost(document.activeElement)) lead(zone);
  if (isMuting) [...document.querySelectorAll(MUTING)].find((button) => button.getClientRects().length)?.focus();
});

// A zone that has the focus itself holds it only until there is something to press.
const isLost = (focused) => !focused || focused === document.body || focused.id === "hand";

function lead(id) {
  const home = document.getElementById(id);
  const next = home?.querySelector(".tiles .fits, .act, .tiles button") ?? document.getElementById("hand");
  next?.focus({ preventScroll: true });
}

// A button that loads the page anew, pressed by key, is gone like those after a move.
const PRESSED = "pressed-by-key";
document.addEventListener("submit", ({ target, submitter }) => {
  if (target.closest("#match") && submitter?.matches(":focus-visible")) forTab.set(PRESSED, true);
});
if (forTab.get(PRESSED)) {
  forTab.remove(PRESSED);
  lead("hand");
}
