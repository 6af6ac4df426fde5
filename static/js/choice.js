// The chosen tile and its places. The server draws the places of the chosen tile; this module requests them and
// highlights one. Where a game has previews, one place is highlighted at once, a touch highlights another one and a
// second touch plays it; a mouse highlights by pointing.

import { restoreView, zoomToPlaces } from "./camera.js";

export const match = document.getElementById("match");
const twoTaps = match.hasAttribute("data-two-taps");
const ask = document.getElementById("ask");
const THUMB_RADIUS_PX = 40; // how far a thumb may miss a place
let litMove = "";
let zoomedTile = ""; // the tile for which the camera has zoomed in
const callbacks = [];
let requestedTile = null; // the tile whose places are being requested; "" while a deselection is under way

export const tileOf = (button) => button.id.match(/\d/g).join("-"); // h64, or h64b for an identical tile
export const tiles = () => [...match.querySelectorAll("#hand .tiles button")];
export const places = () => [...match.querySelectorAll("#choice .act")];
const pressedTile = () => [...match.querySelectorAll("#hand .tiles [aria-pressed]")].map(tileOf)[0] ?? "";
export const chosenTile = () => requestedTile ?? pressedTile();
export const isRequesting = () => requestedTile !== null;
const marks = () => [...match.querySelectorAll("#spots .place")];
const hasPreviews = () => Boolean(match.querySelector("#choice.tried"));

export function choose(tile) {
  if (tile === chosenTile()) return;
  requestedTile = tile;
  ask.value = tile;
  ask.form.requestSubmit(ask);
  markRequested();
}

function markRequested() {
  for (const button of tiles()) button.classList.toggle("asked", tileOf(button) === requestedTile);
}

// Run a callback once the requested places are shown.
export function whenPlacesShown(callback) {
  if (requestedTile === null) callback();
  else callbacks.push(callback);
}

export function play(move) {
  const button = places().find((place) => place.value === move);
  button?.form.requestSubmit(button);
}

export function highlight(move) {
  litMove = move;
  const orientations = orientationsOf(move);
  for (const mark of marks()) {
    mark.classList.toggle("near", mark.dataset.move === move);
    mark.classList.toggle("under", mark.dataset.move !== move && orientations.includes(mark));
  }
  document.getElementById("turn-tile")?.toggleAttribute("hidden", orientations.length < 2);
  for (const place of places()) {
    place.classList.toggle("on", place.value === move);
    place.dataset.go = place.parentElement.dataset.go ?? ""; // what a press does, shown before its score
  }
}

// A move is written as field=orientation.
const fieldOf = (move) => move.split("=")[0];

// Return the marks of all orientations in which the tile fits the field of a placement, none if there is only one.
function orientationsOf(move) {
  const orientations = marks().filter((mark) => fieldOf(mark.dataset.move) === fieldOf(move));
  return orientations.length > 1 ? orientations : [];
}

function turnTile() {
  const orientations = orientationsOf(litMove).map((mark) => mark.dataset.move);
  if (orientations.length) highlight(orientations[(orientations.indexOf(litMove) + 1) % orientations.length]);
}

// Return the visible place whose middle is nearest to a point of the screen, null if none is within that many pixels.
export function nearest(x, y, maxDistance, candidates = marks()) {
  let best = null;
  const lensBox = document.getElementById("lens").getBoundingClientRect();
  for (const mark of candidates) {
    const box = (mark.firstElementChild ?? mark).getBoundingClientRect();
    const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
    const isVisible =
      box.width && left > lensBox.left && left < lensBox.right && top > lensBox.top && top < lensBox.bottom;
    const distance = Math.hypot(left - x, top - y);
    if (isVisible && distance < (best?.distance ?? maxDistance)) best = { mark, distance };
  }
  return best?.mark ?? null;
}

// Return the place that is pointed at. Fields overlap, so it is the one whose middle is nearest.
function placeAt({ target, clientX: x, clientY: y }) {
  if (!target.closest("#lens")) return null;
  const candidates = document.elementsFromPoint(x, y).map((element) => element.closest("#spots .place"));
  return nearest(x, y, Number.POSITIVE_INFINITY, candidates.filter(Boolean));
}

// Return the place that a press means. Where a preview confirms the choice, a thumb may miss a small place.
function pressedPlace(event) {
  const mark = placeAt(event);
  if (mark || !hasPreviews() || !event.target.closest("#lens")) return mark;
  return nearest(event.clientX, event.clientY, THUMB_RADIUS_PX);
}

function press(move) {
  if (!hasPreviews() || move === litMove) return play(move);
  match.classList.add("found"); // the player knows how it works: the explanation can go
  highlight(move);
}

match.addEventListener("click", (event) => {
  if (event.target.closest("#turn-tile, .look > .turn")) return turnTile();
  const move = pressedPlace(event)?.dataset.move;
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
  const move = placeAt(event)?.dataset.move;
  if (move && move !== litMove) highlight(move);
});

match.addEventListener("focusin", (event) => {
  const place = event.target.closest("#choice .act");
  if (place) highlight(place.value);
});

// Raise the tile at once, however slow the connection is.
match.addEventListener("submit", (event) =>
  event.submitter?.closest("#hand .tiles .fits, .act")?.classList.add("asked"),
);
function cancelRequest() {
  requestedTile = null;
  callbacks.length = 0;
  for (const button of match.querySelectorAll(".asked")) button.classList.remove("asked");
}
match.addEventListener("unsent", cancelRequest);
match.addEventListener("htmx:ws:close", cancelRequest);

// Return whether a frame answers the last request: it shows the tile, or the tile can no longer be chosen.
function isAnswered() {
  return (
    pressedTile() === requestedTile ||
    !match.querySelector("#hand.mine") ||
    (requestedTile && !tiles().some((button) => tileOf(button) === requestedTile))
  );
}

// On a small screen the camera zooms in on the places and their previews while they are shown.
function updateCamera() {
  const tile = hasPreviews() ? chosenTile() : "";
  if (tile === zoomedTile) return;
  zoomedTile = tile;
  if (!tile) return restoreView();
  const spots = document.getElementById("spots");
  spots.classList.add("measured");
  zoomToPlaces(
    marks().map((mark) => mark.firstElementChild ?? mark),
    [...spots.querySelectorAll(".look")],
  );
  spots.classList.remove("measured");
}

// A frame draws the places without a highlight. Where there is a preview, the first place is highlighted at once.
document.addEventListener("htmx:after:swap", (event) => {
  const text = event.detail?.ctx?.text ?? "";
  if (text.includes('id="notice"')) cancelRequest();
  if (text && !text.includes('id="hand"')) return;
  if (requestedTile !== null && !isAnswered()) return markRequested();
  requestedTile = null;
  const moves = places().map((place) => place.value);
  const initial = hasPreviews() && !document.querySelector(".dragged") ? (moves[0] ?? "") : "";
  highlight(moves.includes(litMove) ? litMove : initial);
  updateCamera();
  for (const callback of callbacks.splice(0)) callback();
});
