// Counts down to the server's deadlines. Only the server decides when time is up.

const match = document.getElementById("match");
// Not now: scripts run later than the page arrives.
const arrived = performance.timeOrigin + performance.getEntriesByType("navigation")[0].responseStart;
const ahead = arrived - Number(match.dataset.now); // how far this device's clock is ahead of the server's
const LAST = 5000;

function text(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  const now = Date.now() - ahead;
  for (const clock of match.querySelectorAll("[data-deadline]")) {
    const deadline = Number(clock.dataset.deadline);
    const free = Number(clock.dataset.free ?? deadline);
    const bank = deadline - free;
    const left = Math.max(0, free - now);
    clock.textContent = bank > 0 ? `${text(left)} + ${text(Math.min(bank, deadline - now))}` : text(left);
    clock.classList.toggle("urgent", clock.id === "clock" && (left === 0 || deadline - now < LAST));
  }
}

tick();
setInterval(tick, 250);
document.addEventListener("htmx:after:swap", tick);
