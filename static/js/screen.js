// @ts-check
// Keeps the screen awake while the player's match is running, and offers full screen.

import { data, findById, getById, queryAll } from "./dom.js";
import { canFullScreen, isFullScreen, requestWakeLock, toggleFullScreen } from "./fallbacks.js";
import { onZone } from "./updates.js";

const match = getById("match");
const buttons = queryAll("[data-full-screen]");
/** @type {WakeLockSentinel | "pending" | null} */
let lock = null;

function isPlaying() {
  const sync = findById("sync");
  return "viewer" in data(match) && sync !== null && data(sync).status === "running";
}

async function updateLock() {
  const isNeeded = isPlaying() && document.visibilityState === "visible";
  if (isNeeded && !lock) {
    lock = "pending";
    lock = await requestWakeLock();
    lock?.addEventListener("release", () => {
      lock = null;
    });
  } else if (!isNeeded && lock && lock !== "pending") {
    lock.release();
  }
}

updateLock();
onZone("sync", updateLock);
document.addEventListener("visibilitychange", updateLock);

getById("comfort").hidden = false;
for (const button of buttons) {
  button.hidden = !canFullScreen();
  button.addEventListener("click", toggleFullScreen);
}
document.addEventListener("fullscreenchange", () => {
  for (const button of buttons) button.setAttribute("aria-pressed", String(isFullScreen()));
});
