// @ts-check
// Sounds and vibration for what a frame brought: a tile, a knock, points, the player's turn, the end of a round.

import { isMyTurn } from "./choice.js";
import { data, findById, getById, query } from "./dom.js";
import { vibrate } from "./fallbacks.js";
import { remembered } from "./memory.js";
import { play, SOUNDS } from "./synthesiser.js";
import { onZone } from "./updates.js";

/** @import { Sound } from "./synthesiser.js" */

const match = getById("match");
const isEnabled = remembered(getById("use-sound"), "sound", match.hasAttribute("data-sound"));
const TURN_VIBRATION_MS = 20;

/** @returns {Record<Sound, string | boolean | undefined>} */
function readState() {
  const gained = query("#said .gained", match);
  const sync = findById("sync");
  const move = sync && data(sync).move;
  const version = findById("version")?.value;
  return {
    tile: move === "play" && version,
    knock: move === "pass" && version,
    won: gained?.matches(".gained-won") && version,
    lost: gained?.matches(".gained-lost") && version,
    over: query("#result:not([hidden])", match) !== null,
    turn: isMyTurn(),
  };
}

let before = readState();
onZone(["hand", "said", "sync", "result"], () => {
  const now = readState();
  const changes = SOUNDS.filter((name) => now[name] && now[name] !== before[name]);
  before = now;
  if (!isEnabled()) return;
  play(changes);
  if (changes.includes("turn")) vibrate(TURN_VIBRATION_MS);
});
