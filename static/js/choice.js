// Which tile is chosen, and where it may go. The server draws the places of the chosen tile; this module asks for
// them and highlights one. In games with a preview one place is shown at once, a touch shows another one and a second
// touch plays it; a mouse shows it by pointing.

import { goBack, goCloser } from "./camera.js";

export const match = document.getElementById("match");
const twoTaps = match.hasAttribute("data-two-taps");
const ask = document.getElementById("ask");
const THUMB = 40; // pixels
let lit = "";
let closer = ""; // the tile to whose places the camera has gone
const waiting = [];
let asked = null; // the tile whose places were requested and are not there yet; "" to choose none

export const tileOf = (button) => button.id.match(/\d/g).join("-"); // h64, and h64b for its equal
export const tiles = () => [...match.querySelectorAll("#hand .tiles button")];
export const places = () => [...match.querySelectorAll("#choice .act")];
const pressedTile = () => [...match.querySelectorAll("#hand .tiles [aria-pressed]")].map(tileOf)[0] ?? "";
export const chosenTile = () => asked ?? pressedTile();
export const asking = () => asked !== null;
const marks = () => [...match.querySelectorAll("#spots .place")];
const tried = () => Boolean(match.querySelector("#choice.tried"));

export function choose(tile) {
  if (tile === chosenTile()) return;
  asked = tile;
  ask.value = tile;
  ask.form.requestSubmit(ask);
  lift();
}

function lift() {
  for (const button of tiles()) button.classList.toggle("asked", tileOf(button) === asked);
}

// Do something once the requested places are there.
export function whenShown(act) {
  if (asked === null) act();
  else waiting.push(act);
}

export function play(move) {
  const button = places().find((place) => place.value === move);
  button?.form.requestSubmit(button);
}

export function light(move) {
  lit = move;
  const ways = waysOf(move);
  for (const mark of marks()) {
    mark.classList.toggle("near", mark.dataset.move === move);
    mark.classList.toggle("under", mark.dataset.move !== move && ways.includes(mark));
  }
  document.getElementById("turn-tile")?.toggleAttribute("hidden", ways.length < 2);
  for (const place of places()) {
    place.classList.toggle("on", place.value === move);
    place.dataset.go = place.parentElement.dataset.go ?? ""; // what a press does, shown before what it is worth
  }
}

// A move names the field, and then how the tile lies there.
const fieldOf = (move) => move.split("=")[0];

// Return the marks of all ways in which the tile fits the field of a placement, none where there is only one.
function waysOf(move) {
  const ways = marks().filter((mark) => fieldOf(mark.dataset.move) === fieldOf(move));
  return ways.length > 1 ? ways : [];
}

function turn() {
  const ways = waysOf(lit).map((mark) => mark.dataset.move);
  if (ways.length) light(ways[(ways.indexOf(lit) + 1) % ways.length]);
}

// Return the visible place whose middle is nearest to a point of the screen, null if none is within so many pixels.
export function nearest(x, y, within, among = marks()) {
  let best = null;
  const seen = document.getElementById("lens").getBoundingClientRect();
  for (const mark of among) {
    const box = (mark.firstElementChild ?? mark).getBoundingClientRect();
    const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
    const shown = box.width && left > seen.left && left < seen.right && top > seen.top && top < seen.bottom;
    const distance = Math.hypot(left - x, top - y);
    if (shown && distance < (best?.distance ?? within)) best = { mark, distance };
  }
  return best?.mark ?? null;
}

// Return the place whose field is pointed at. Fields overlap: then it is the one whose middle is nearest.
function pointed({ target, clientX: x, clientY: y }) {
  if (!target.closest("#lens")) return null;
  const below = document.elementsFromPoint(x, y).map((each) => each.closest("#spots .place"));
  return nearest(x, y, Number.POSITIVE_INFINITY, below.filter(Boolean));
}

// Return the place that a press means: a thumb may miss a small one, which does no harm where there is a preview.
function pressed(event) {
  const mark = pointed(event);
  if (mark || !tried() || !event.target.closest("#lens")) return mark;
  return nearest(event.clientX, event.clientY, THUMB);
}

function press(move) {
  if (!tried() || move === lit) return play(move);
  match.classList.add("found"); // whoever has tried a place need not be told how
  light(move);
}

match.addEventListener("click", (event) => {
  if (event.target.closest("#turn-tile, .look > .turn")) return turn();
  const move = pressed(event)?.dataset.move;
  if (move) return press(move);
  if (event.target.closest(".another")) {
    event.preventDefault();
    tiles()
      .find((button) => tileOf(button) === chosenTile())
      ?.focus();
    return choose("");
  }
  const button = event.target.closest("#hand .tiles .fits");
  if (!twoTaps || !button || button.form.id !== "move" || button.hasAttribute("aria-pressed")) return;
  event.preventDefault();
  choose(tileOf(button));
});

match.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || event.buttons || event.target.closest(".look > .turn")) return;
  const move = pointed(event)?.dataset.move;
  if (move && move !== lit) light(move);
});

match.addEventListener("focusin", (event) => {
  const place = event.target.closest("#choice .act");
  if (place) light(place.value);
});

// What is on its way to the server is raised at once, however slow the connection.
match.addEventListener("submit", (event) =>
  event.submitter?.closest("#hand .tiles .fits, .act")?.classList.add("asked"),
);
function forget() {
  asked = null;
  waiting.length = 0;
  for (const button of match.querySelectorAll(".asked")) button.classList.remove("asked");
}
match.addEventListener("unsent", forget);
match.addEventListener("htmx:ws:close", forget);

// Return whether a frame answers the last request: it shows the tile, or the tile can no longer be chosen.
function answered() {
  return (
    pressedTile() === asked ||
    !match.querySelector("#hand.mine") ||
    (asked && !tiles().some((button) => tileOf(button) === asked))
  );
}

// On a small table the camera goes closer to the places and their previews while they are looked at.
function approach() {
  const tile = tried() ? chosenTile() : "";
  if (tile === closer) return;
  closer = tile;
  if (!tile) return goBack();
  const spots = document.getElementById("spots");
  spots.classList.add("measured");
  goCloser(
    marks().map((mark) => mark.firstElementChild ?? mark),
    [...spots.querySelectorAll(".look")],
  );
  spots.classList.remove("measured");
}

// A frame draws the places without a highlight. Where there is a preview, the first one shows at once.
document.addEventListener("htmx:after:swap", (event) => {
  const text = event.detail?.ctx?.text ?? "";
  if (text.includes('id="notice"')) forget();
  if (text && !text.includes('id="hand"')) return;
  if (asked !== null && !answered()) return lift();
  asked = null;
  const moves = places().map((place) => place.value);
  const first = tried() && !document.querySelector(".dragged") ? (moves[0] ?? "") : "";
  light(moves.includes(lit) ? lit : first);
  approach();
  for (const act of waiting.splice(0)) act();
});
