// @ts-check
// Counts the clocks down to the server's deadlines. Only the server decides when time is up.

import { isMyTurn } from "./choice.js";
import { data, findById, getById, query, queryAll } from "./dom.js";
import { reducedMotion } from "./fallbacks.js";
import { serverNow } from "./server_clock.js";
import { writeText } from "./text.js";
import { onUpdate } from "./updates.js";

const match = getById("match");
const hurry = getById("hurry");
const TURN_MS = Number(data(match).turn);
const URGENT_MS = 10_000;
const SECOND_MS = 1000;
const lagLine = findById("lag");
let announcedDeadline = ""; // the deadline that was last announced as near

/** @param {number} milliseconds */
function text(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND_MS));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  /** @param {number} number */
  const twoDigits = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`;
}

// The ring around a seat empties during the free time of the turn, and again during the spare time that follows.
/** @param {Element} ring @param {{ free: number, deadline: number, now: number }} turn */
function drawRing(ring, { free, deadline, now }) {
  const [start, end] = now < free ? [free - TURN_MS, free] : [free, deadline];
  const elapsed = reducedMotion.matches ? Math.floor((now - start) / SECOND_MS) * SECOND_MS : now - start;
  ring.classList.toggle("spare-runs", now >= free && deadline > free);
  const circle = /** @type {SVGElement} */ (ring.firstElementChild);
  circle.style.strokeDashoffset = String(-Math.min(1, Math.max(0, elapsed / (end - start || 1))));
}

/** @param {Element | null} button @param {number} spare */
function writeSpare(button, spare) {
  if (button instanceof HTMLElement && data(button).value !== text(spare)) data(button).value = text(spare);
}

// Warn the player to move, once a turn.
/** @param {string} deadline @param {boolean} isUrgent */
function warn(deadline, isUrgent) {
  if (!isUrgent) writeText(hurry, "");
  else if (announcedDeadline !== deadline && isMyTurn()) writeText(hurry, data(hurry).announcement ?? "");
  if (isUrgent) announcedDeadline = deadline;
}

// One's own turn ends earlier on the page by the lag: the page learns of the turn late, and the move needs time to
// arrive.
function lagMs() {
  return Number(data(getById("hand")).lag ?? 0);
}

function showLag() {
  if (!lagLine || !lagMs()) return;
  lagLine.hidden = false;
  const number = query("span", lagLine);
  if (number) writeText(number, String(lagMs()));
}

/** @param {HTMLElement} clock @param {number} now */
function runTurn(clock, now) {
  const deadline = Number(data(clock).deadline) - (isMyTurn() ? lagMs() : 0);
  const free = Math.min(Number(data(clock).free), deadline);
  const [remaining, spare] = [deadline - now, Math.min(deadline - free, deadline - now)];
  const isUrgent = remaining <= URGENT_MS;
  if (isUrgent) writeText(clock, String(Math.max(0, Math.ceil(remaining / SECOND_MS))));
  else writeText(clock, text(now < free ? free - now : remaining));
  clock.parentElement?.classList.toggle("urgent", isUrgent);
  writeSpare(clock.nextElementSibling, spare);
  const ring = clock.closest(".seat")?.querySelector(".ring");
  if (ring) drawRing(ring, { free, deadline, now });
  warn(data(clock).deadline ?? "", isUrgent);
}

function tick() {
  const now = serverNow();
  showLag();
  for (const clock of queryAll("[data-deadline]", match)) {
    if (clock.id === "clock") runTurn(clock, now);
    else writeText(clock, text(Number(data(clock).deadline) - now));
  }
}

tick();
setInterval(tick, 100);
onUpdate(tick);
