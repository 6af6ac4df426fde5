// @ts-check
// Shows a new chat line as a bubble at its writer's seat for a few seconds. Screen readers use the chat list instead.

import { data, getById, query, queryAll } from "./dom.js";
import { onZone } from "./updates.js";

const table = /** @type {HTMLElement} */ (query(".table"));
const chat = getById("chat");
const sign = /** @type {HTMLElement} */ (query(".chat-sign"));
const BUBBLE_MS = 4000;
/** @param {HTMLElement} line */
const numberOf = (line) => Number(line.id.slice(1)); // m123
const lines = () => queryAll("#messages > p");
let lastNumber = Math.max(0, ...lines().map(numberOf));
const isMuted = () => getById("messages").hasAttribute("data-muted");
let wasMuted = isMuted();

/** @param {HTMLElement} line */
function seatOf(line) {
  const writer = query("a", line)?.getAttribute("href");
  return queryAll("#seats .seat").find((seat) => query(`a[href="${writer}"]`, seat));
}

/** @param {HTMLElement} line */
function showBubble(line) {
  const seat = seatOf(line);
  if (!seat) return;
  const id = `says-${seat.id}`;
  document.getElementById(id)?.remove();
  const bubble = document.createElement("p");
  bubble.id = id;
  bubble.className = "bubble";
  bubble.ariaHidden = "true";
  bubble.dir = "auto";
  bubble.textContent = query("[dir=auto]", line)?.textContent ?? "";
  table.append(bubble);
  place(bubble, seat.getBoundingClientRect());
  setTimeout(() => bubble.remove(), BUBBLE_MS);
}

/** @param {HTMLElement} bubble @param {DOMRect} seatBox */
function place(bubble, seatBox) {
  const tableBox = table.getBoundingClientRect();
  const isInLowerHalf = seatBox.top - tableBox.top > tableBox.height / 2;
  const maxLeft = tableBox.width - bubble.offsetWidth - 8;
  bubble.style.left = `${Math.max(8, Math.min(maxLeft, seatBox.left - tableBox.left))}px`;
  const belowSeat = Math.max(seatBox.bottom, getById("said").getBoundingClientRect().bottom); // keeps the line legible
  const top = isInLowerHalf ? seatBox.top - bubble.offsetHeight - 4 : belowSeat + 4;
  bubble.style.top = `${top - tableBox.top}px`;
}

// On a phone the chat is a sheet with an address of its own. A dot marks it as unread.
const isInSight = () => chat.matches(":target") || getComputedStyle(sign).display === "none";
/** @param {boolean} unread */
function setUnread(unread) {
  sign.ariaDescription = unread ? (data(sign).unread ?? "") : null;
}

onZone("messages", () => {
  const fresh = lines().filter((line) => numberOf(line) > lastNumber);
  const wasHidden = wasMuted; // unmuting the table reveals old lines, which are not news
  wasMuted = isMuted();
  if (!fresh.length) return;
  lastNumber = Math.max(...fresh.map(numberOf));
  if (wasHidden) return;
  for (const line of fresh) showBubble(line);
  if (!isInSight()) setUnread(true);
});
window.addEventListener("hashchange", () => {
  if (isInSight()) setUnread(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !chat.matches(":target")) return;
  location.hash = "match";
  sign.focus();
});
