// Lets the clocks run to the server's deadlines. Only the server decides when time is up.

import { reducedMotion } from "./fallbacks.js";
import { serverNow } from "./server_clock.js";
import { isMyTurn } from "./sound.js";
import { writeText } from "./text.js";

const match = document.getElementById("match");
const hurry = document.getElementById("hurry");
const [TURN, BANK] = [Number(match.dataset.turn), Number(match.dataset.bank)];
const LAST = 10_000;
const SECOND = 1000;
const line = document.getElementById("lag");
let hurried = ""; // the deadline that was told

function text(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// The ring round a seat empties with the free time of the turn, and anew with the spare time that follows.
function drawRing(ring, { free, deadline, now }) {
  const [start, end] = now < free ? [free - TURN, free] : [free, deadline];
  const gone = reducedMotion.matches ? Math.floor((now - start) / SECOND) * SECOND : now - start;
  ring.classList.toggle("spare-runs", now >= free && deadline > free);
  ring.firstElementChild.style.strokeDashoffset = -Math.min(1, Math.max(0, gone / (end - start || 1)));
}

function drawSpare(battery, spare) {
  battery?.style.setProperty("--full", Math.max(0, spare / BANK));
  if (battery) battery.dataset.value = text(spare);
}

// Once a turn, and only to the person whose turn it is.
function warn(deadline, isLate) {
  if (!isLate) writeText(hurry, "");
  else if (hurried !== deadline && isMyTurn()) writeText(hurry, hurry.dataset.said);
  if (isLate) hurried = deadline;
}

// On the page the own turn ends earlier by the lag: the page is late by a part of it, and the move takes the other.
function lag() {
  return Number(document.getElementById("hand").dataset.lag ?? 0);
}

function showLag() {
  if (!line || !lag()) return;
  line.hidden = false;
  writeText(line.querySelector("span"), String(lag()));
}

function runTurn(clock, now) {
  const deadline = Number(clock.dataset.deadline) - (isMyTurn() ? lag() : 0);
  const free = Math.min(Number(clock.dataset.free), deadline);
  const [left, spare] = [deadline - now, Math.min(deadline - free, deadline - now)];
  const isLate = left <= LAST;
  if (isLate) writeText(clock, String(Math.max(0, Math.ceil(left / SECOND))));
  else writeText(clock, deadline > free ? `${text(free - now)} + ${text(spare)}` : text(free - now));
  clock.parentElement.classList.toggle("urgent", isLate);
  drawSpare(clock.nextElementSibling, spare);
  drawRing(clock.closest(".seat").querySelector(".ring"), { free, deadline, now });
  warn(clock.dataset.deadline, isLate);
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
