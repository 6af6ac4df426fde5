// The screen stays awake while one's match is played, and the table may have all of it.

const match = document.getElementById("match");
const buttons = document.querySelectorAll("[data-full-screen]");
let lock = null;

const playing = () => "viewer" in match.dataset && document.getElementById("sync")?.dataset.status === "running";

async function keepAwake() {
  const wanted = playing() && document.visibilityState === "visible";
  if (wanted && !lock) {
    lock = "asked";
    // Refused on a battery that is nearly empty: then the screen sleeps as ever.
    lock = await navigator.wakeLock?.request("screen").catch(() => null);
    lock?.addEventListener("release", () => {
      lock = null;
    });
  } else if (!wanted && lock?.release) {
    lock.release();
  }
}

keepAwake();
for (const change of ["htmx:after:swap", "visibilitychange"]) document.addEventListener(change, keepAwake);

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
