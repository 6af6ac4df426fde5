// Counts the clocks down to the server's deadlines. Only the server decides when time is up.

import { reducedMotion } from "./fallbacks.js";
import { serverNow } from "./server_clock.js";
import { isMyTurn } from "./sound.js";
import { writeText } from "./text.js";

const match = document.getElementById("match");
const hurry = document.getElementById("hurry");
const [TURN_MS, BANK_MS] = [Number(match.dataset.turn), Number(match.dataset.bank)];
const URGENT_MS = 10_000;
const SECOND_MS = 1000;
const lagLine = document.getElementById("lag");
let announcedDeadline = ""; // the deadline that was last announced as near

function text(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND_MS));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoDigits = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`;
}

// The ring around a seat empties during the free time of the turn, and again during the spare time that follows.
function drawRing(ring, { free, deadline, now }) {
  const [start, end] = now < free ? [free - TURN_MS, free] : [free, deadline];
  const elapsed = reducedMotion.matches ? Math.floor((now - start) / SECOND_MS) * SECOND_MS : now - start;
  ring.classList.toggle("spare-runs", now >= free && deadline > free);
  ring.firstElementChild.style.strokeDashoffset = -Math.min(1, Math.max(0, elapsed / (end - start || 1)));
}

function drawSpare(battery, spare) {
  battery?.style.setProperty("--full", Math.max(0, spare / BANK_MS));
  if (battery) battery.dataset.value = text(spare);
}

// Warn the player to move, once a turn.
function warn(deadline, isUrgent) {
  if (!isUrgent) writeText(hurry, "");
  else if (announcedDeadline !== deadline && isMyTurn()) writeText(hurry, hurry.dataset.said);
  if (isUrgent) announcedDeadline = deadline;
}

// One's own turn ends earlier on the page by the lag: the page learns of the turn late, and the move needs time to
// arrive.
function lagMs() {
  return Number(document.getElementById("hand").dataset.lag ?? 0);
}

function showLag() {
  if (!lagLine || !lagMs()) return;
  lagLine.hidden = false;
  writeText(lagLine.querySelector("span"), String(lagMs()));
}

function runTurn(clock, now) {
  const deadline = Number(clock.dataset.deadline) - (isMyTurn() ? lagMs() : 0);
  const free = Math.min(Number(clock.dataset.free), deadline);
  const [remaining, spare] = [deadline - now, Math.min(deadline - free, deadline - now)];
  const isUrgent = remaining <= URGENT_MS;
  if (isUrgent) writeText(clock, String(Math.max(0, Math.ceil(remaining / SECOND_MS))));
  else writeText(clock, deadline > free ? `${text(free - now)} + ${text(spare)}` : text(free - now));
  clock.parentElement.classList.toggle("urgent", isUrgent);
  drawSpare(clock.nextElementSibling, spare);
  drawRing(clock.closest(".seat").querySelector(".ring"), { free, deadline, now });
  warn(clock.dataset.deadline, isUrgent);
}

function tick() {
  const now = serverNow();
  showLag();
  for (const clock of match.querySelectorAll("[data-deadline]")) {
    if (clock.id === "clock") runTurn(clock, now);
    else writeText(clock, text(Number(clock.dataset.deadline) - now));
  }
}

tick();
setInterval(tick, 100);
document.addEventListener("htmx:after:swap", tick);
