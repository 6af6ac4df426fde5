// What a frame brought, to be heard and felt: a tile, a knock, points, one's turn, the end of a round.

import { remembered } from "./memory.js";
import { play } from "./synthesiser.js";

const match = document.getElementById("match");
const wanted = remembered(document.getElementById("use-sound"), "sound", match.hasAttribute("data-sound"));
const TURN = 20; // milliseconds of vibration

function seen() {
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

let before = seen();
document.addEventListener("htmx:after:swap", () => {
  const now = seen();
  const news = Object.keys(now).filter((name) => now[name] && now[name] !== before[name]);
  before = now;
  if (!wanted()) return;
  play(news);
  // Browsers refuse it, and say so, until somebody has tapped on the page.
  if (news.includes("turn") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TURN);
});
