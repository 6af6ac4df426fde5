// What somebody writes stands for four seconds at their seat. The list of the chat is what is read aloud.

const table = document.querySelector(".table");
const chat = document.getElementById("chat");
const sign = document.querySelector(".chat-sign");
const LONG = 4000;
const number = (line) => Number(line.id.slice(1)); // m123
const lines = () => [...document.querySelectorAll("#messages > p")];
let seen = Math.max(0, ...lines().map(number));
const isMuted = () => document.getElementById("messages").hasAttribute("data-muted");
let wasMuted = isMuted();

function seatOf(line) {
  const writer = line.querySelector("a")?.getAttribute("href");
  return [...document.querySelectorAll("#seats .seat")].find((seat) => seat.querySelector(`a[href="${writer}"]`));
}

function show(line) {
  const seat = seatOf(line);
  if (!seat) return;
  document.getElementById(`says-${seat.id}`)?.remove();
  const around = table.getBoundingClientRect();
  const plate = seat.getBoundingClientRect();
  const bubble = document.createElement("p");
  bubble.id = `says-${seat.id}`;
  bubble.className = "bubble";
  bubble.ariaHidden = "true";
  bubble.dir = "auto";
  bubble.textContent = line.querySelector("[dir=auto]").textContent;
  table.append(bubble);
  const low = plate.top - around.top > around.height / 2;
  const widest = around.width - bubble.offsetWidth - 8;
  bubble.style.left = `${Math.max(8, Math.min(widest, plate.left - around.left))}px`;
  bubble.style.top = `${low ? plate.top - around.top - bubble.offsetHeight - 4 : plate.bottom - around.top + 4}px`;
  setTimeout(() => bubble.remove(), LONG);
}

// On a telephone the chat is a sheet that opens by its address; a dot tells of what was not read there.
const isInSight = () => chat.matches(":target") || getComputedStyle(sign).display === "none";
function mark(unread) {
  sign.ariaDescription = unread ? sign.dataset.unread : null;
}

document.addEventListener("htmx:after:swap", () => {
  const fresh = lines().filter((line) => number(line) > seen);
  const isOld = wasMuted; // what was written while the table was muted is no news when it is shown again
  wasMuted = isMuted();
  if (!fresh.length) return;
  seen = number(fresh.at(-1));
  if (isOld) return;
  for (const line of fresh) show(line);
  if (!isInSight()) mark(true);
});
window.addEventListener("hashchange", () => {
  if (isInSight()) mark(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !chat.matches(":target")) return;
  location.hash = "match";
  sign.focus();
});
