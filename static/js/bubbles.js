// Shows a new chat line as a bubble at its writer's seat for a few seconds. Screen readers use the chat list instead.

const table = document.querySelector(".table");
const chat = document.getElementById("chat");
const sign = document.querySelector(".chat-sign");
const BUBBLE_MS = 4000;
const numberOf = (line) => Number(line.id.slice(1)); // m123
const lines = () => [...document.querySelectorAll("#messages > p")];
let lastNumber = Math.max(0, ...lines().map(numberOf));
const isMuted = () => document.getElementById("messages").hasAttribute("data-muted");
let wasMuted = isMuted();

function seatOf(line) {
  const writer = line.querySelector("a")?.getAttribute("href");
  return [...document.querySelectorAll("#seats .seat")].find((seat) => seat.querySelector(`a[href="${writer}"]`));
}

function showBubble(line) {
  const seat = seatOf(line);
  if (!seat) return;
  document.getElementById(`says-${seat.id}`)?.remove();
  const tableBox = table.getBoundingClientRect();
  const seatBox = seat.getBoundingClientRect();
  const bubble = document.createElement("p");
  bubble.id = `says-${seat.id}`;
  bubble.className = "bubble";
  bubble.ariaHidden = "true";
  bubble.dir = "auto";
  bubble.textContent = line.querySelector("[dir=auto]").textContent;
  table.append(bubble);
  const isInLowerHalf = seatBox.top - tableBox.top > tableBox.height / 2;
  const maxLeft = tableBox.width - bubble.offsetWidth - 8;
  bubble.style.left = `${Math.max(8, Math.min(maxLeft, seatBox.left - tableBox.left))}px`;
  const top = isInLowerHalf ? seatBox.top - bubble.offsetHeight - 4 : seatBox.bottom + 4;
  bubble.style.top = `${top - tableBox.top}px`;
  setTimeout(() => bubble.remove(), BUBBLE_MS);
}

// On a phone the chat is a sheet with an address of its own. A dot marks it as unread.
const isInSight = () => chat.matches(":target") || getComputedStyle(sign).display === "none";
function setUnread(unread) {
  sign.ariaDescription = unread ? sign.dataset.unread : null;
}

document.addEventListener("htmx:after:swap", () => {
  const fresh = lines().filter((line) => numberOf(line) > lastNumber);
  const wasHidden = wasMuted; // unmuting the table reveals old lines, which are not news
  wasMuted = isMuted();
  if (!fresh.length) return;
  lastNumber = numberOf(fresh.at(-1));
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
