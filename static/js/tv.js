// @ts-check
// Spectator TV: goes to the next match a few seconds after the current one ends, and when nobody has moved in it for
// some time, unless the viewer presses “Stay”. Small boards of other matches are updated next to it.

import { data, findById, getById } from "./dom.js";
import { serverNow } from "./server_clock.js";
import { isConnected } from "./transport.js";
import { beforeRequest, onFailure, onZone } from "./updates.js";

const END_SECONDS = 12; // from the end of a match to the next one
const WARNING_SECONDS = 5; // before the page leaves a match in which nobody moves
const next = getById("next");
const [end, pause, link, stay] = /** @type {[HTMLElement, HTMLElement, HTMLAnchorElement, HTMLButtonElement]} */ (
  /** @type {unknown} */ ([...next.children])
);
const inactiveMs = Number(data(next).seconds) * 1000;
const version = () => getById("version").value;
let shownVersion = version();
let deadline = Number(data(next).moved) + inactiveMs; // when the page leaves the match, by the server's time
let isOver = false;
let stays = false;

function tick() {
  const secondsLeft = Math.ceil((deadline - serverNow()) / 1000);
  next.hidden = stays || secondsLeft > (isOver ? END_SECONDS : WARNING_SECONDS);
  if (next.hidden) return;
  [end.hidden, pause.hidden] = [!isOver, isOver];
  const number = /** @type {Element} */ (link.lastElementChild);
  number.textContent = String(Math.max(secondsLeft, 0));
  if (secondsLeft > 0 || !isConnected()) return;
  clearInterval(timer);
  location.replace(link.href);
}

const timer = setInterval(tick, 1000);

onZone("sync", () => {
  if (isOver) return;
  if (data(getById("sync")).status !== "running") {
    [isOver, stays] = [true, false];
    deadline = serverNow() + END_SECONDS * 1000;
  } else if (version() !== shownVersion) {
    shownVersion = version();
    deadline = serverNow() + inactiveMs;
  }
  tick();
});

stay.addEventListener("click", () => {
  stays = true;
  next.hidden = true;
});

// The small boards are updated while the page is visible, and stay as they are if that fails.
/** @param {Element | null} source */
const isBoards = (source) => source !== null && source === findById("boards");
beforeRequest((source) => !document.hidden || !isBoards(source));
onFailure(isBoards, () => {});
