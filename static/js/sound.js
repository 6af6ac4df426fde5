// Sounds and vibration for what a frame brought: a tile, a knock, points, the player's turn, the end of a round.

import { remembered } from "./memory.js";
import { play } from "./synthesiser.js";

const match = document.getElementById("match");
const isEnabled = remembered(document.getElementById("use-sound"), "sound", match.hasAttribute("data-sound"));
const TURN_VIBRATION_MS = 20;

function readState() {
  const gained = match.querySelector("#said .gained");
  const move = document.getElementById("sync")?.dataset.move;
  const version = document.getElementById("version")?.value;
  return {
    tile: move === "play" && version,
    knock: move === "pass" && version,
    won: gained?.matches(".gained-won") && version,
    lost: gained?.matches(".gained-lost") && version,
    over: match.querySelector("#result:not([hidden])") !== null,
    turn: isMyTurn(),
  };
}

export function isMyTurn() {
  return match.querySelector("#hand.mine") !== null;
}

let before = readState();
document.addEventListener("htmx:after:swap", () => {
  const now = readState();
  const changes = Object.keys(now).filter((name) => now[name] && now[name] !== before[name]);
  before = now;
  if (!isEnabled()) return;
  play(changes);
  // Browsers block vibration, with a warning, until somebody has tapped on the page.
  if (changes.includes("turn") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TURN_VIBRATION_MS);
});
