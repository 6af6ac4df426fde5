// Keeps the screen awake while the player's match is running, and offers full screen.

const match = document.getElementById("match");
const buttons = document.querySelectorAll("[data-full-screen]");
let lock = null;

const isPlaying = () => "viewer" in match.dataset && document.getElementById("sync")?.dataset.status === "running";

async function updateLock() {
  const isNeeded = isPlaying() && document.visibilityState === "visible";
  if (isNeeded && !lock) {
    lock = "pending";
    // Rejected when the battery is low: then the screen sleeps as usual.
    lock = await navigator.wakeLock?.request("screen").catch(() => null);
    lock?.addEventListener("release", () => {
      lock = null;
    });
  } else if (!isNeeded && lock?.release) {
    lock.release();
  }
}

updateLock();
for (const change of ["htmx:after:swap", "visibilitychange"]) document.addEventListener(change, updateLock);

document.getElementById("comfort").hidden = false;
for (const button of buttons) {
  button.hidden = !document.fullscreenEnabled;
  button.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen()?.catch(() => {});
  });
}
document.addEventListener("fullscreenchange", () => {
  for (const button of buttons) button.setAttribute("aria-pressed", String(document.fullscreenElement !== null));
});
