// @ts-check
// The chosen tile and its places. The server draws the places of the chosen tile; this module requests them and
// highlights one. Where a game has previews, one place is highlighted at once, a touch highlights another one and a
// second touch plays it; a mouse highlights by pointing.

import { restoreView, zoomToPlaces } from "./camera.js";
import { closest, data, findById, getById, query, queryAll, UNSENT } from "./dom.js";
import { onSocket } from "./socket.js";
import { onZone } from "./updates.js";

/** @typedef {HTMLButtonElement & { form: HTMLFormElement }} FormButton a button that belongs to a form */

export const match = getById("match");
const twoTaps = match.hasAttribute("data-two-taps");
const ask = getById("ask");
const THUMB_RADIUS_PX = 40; // how far a thumb may miss a place
let litMove = "";
let zoomedTile = ""; // the tile for which the camera has zoomed in
/** @type {(() => void)[]} */
const callbacks = [];
/** @type {string | null} the tile whose places are being requested; "" while a deselection is under way */
let requestedTile = null;

/** @param {Element} button */
export const tileOf = (button) => (button.id.match(/\d/g) ?? []).join("-"); // h64, or h64b for an identical tile
/** @returns {FormButton[]} */
export const tiles = () => queryAll("#hand .tiles button", match);
/** @returns {FormButton[]} */
export const places = () => queryAll("#choice .act", match);
const pressedTile = () => queryAll("#hand .tiles [aria-pressed]", match).map(tileOf)[0] ?? "";
export const chosenTile = () => requestedTile ?? pressedTile();
export const isMyTurn = () => query("#hand.mine", match) !== null;
export const isRequesting = () => requestedTile !== null;
/** @returns {SVGElement[]} */
const marks = () => queryAll("#spots .place", match);
const hasPreviews = () => Boolean(query("#choice.tried", match));

/** @param {string} tile */
export function choose(tile) {
  if (tile === chosenTile()) return;
  requestedTile = tile;
  ask.value = tile;
  ask.form?.requestSubmit(ask);
  markRequested();
}

function markRequested() {
  for (const button of tiles()) button.classList.toggle("asked", tileOf(button) === requestedTile);
}

// Run a callback once the requested places are shown.
/** @param {() => void} callback */
export function whenPlacesShown(callback) {
  if (requestedTile === null) callback();
  else callbacks.push(callback);
}

/** @param {string} move */
export function play(move) {
  const button = places().find((place) => place.value === move);
  button?.form.requestSubmit(button);
}

/** @param {string} move */
export function highlight(move) {
  litMove = move;
  const orientations = orientationsOf(move);
  for (const mark of marks()) {
    mark.classList.toggle("near", moveOf(mark) === move);
    mark.classList.toggle("under", moveOf(mark) !== move && orientations.includes(mark));
  }
  findById("turn-tile")?.toggleAttribute("hidden", orientations.length < 2);
  for (const place of places()) {
    place.classList.toggle("on", place.value === move);
    const box = /** @type {HTMLElement} */ (place.parentElement);
    data(place).go = data(box).go ?? ""; // what a press does, shown before its score
  }
}

/** @param {SVGElement} mark */
const moveOf = (mark) => data(mark).move ?? "";

// A move is written as field=orientation.
/** @param {string} move */
const fieldOf = (move) => move.split("=")[0];

// Return the marks of all orientations in which the tile fits the field of a placement, none if there is only one.
/** @param {string} move */
function orientationsOf(move) {
  const orientations = marks().filter((mark) => fieldOf(moveOf(mark)) === fieldOf(move));
  return orientations.length > 1 ? orientations : [];
}

function turnTile() {
  const orientations = orientationsOf(litMove).map(moveOf);
  if (orientations.length) highlight(orientations[(orientations.indexOf(litMove) + 1) % orientations.length]);
}

// Return the visible place whose middle is nearest to a point of the screen, null if none is within that many pixels.
/** @param {number} x @param {number} y @param {number} maxDistance @param {SVGElement[]} [candidates] */
export function nearest(x, y, maxDistance, candidates = marks()) {
  /** @type {{ mark: SVGElement, distance: number } | null} */
  let best = null;
  const lensBox = getById("lens").getBoundingClientRect();
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
/** @param {MouseEvent} event */
function placeAt({ target, clientX: x, clientY: y }) {
  if (!closest(target, "#lens")) return null;
  const candidates = document.elementsFromPoint(x, y).flatMap((element) => {
    /** @type {SVGElement | null} */
    const mark = closest(element, "#spots .place");
    return mark ? [mark] : [];
  });
  return nearest(x, y, Number.POSITIVE_INFINITY, candidates);
}

// Return the place that a press means. Where a preview confirms the choice, a thumb may miss a small place.
/** @param {MouseEvent} event */
function pressedPlace(event) {
  const mark = placeAt(event);
  if (mark || !hasPreviews() || !closest(event.target, "#lens")) return mark;
  return nearest(event.clientX, event.clientY, THUMB_RADIUS_PX);
}

/** @param {string} move */
function press(move) {
  if (!hasPreviews() || move === litMove) return play(move);
  match.classList.add("found"); // the player knows how it works: the explanation can go
  highlight(move);
}

match.addEventListener("click", (event) => {
  if (closest(event.target, "#turn-tile, .look > .turn")) return turnTile();
  const mark = pressedPlace(event);
  if (mark) return press(moveOf(mark));
  if (closest(event.target, ".another")) {
    event.preventDefault();
    tiles()
      .find((button) => tileOf(button) === chosenTile())
      ?.focus();
    return choose("");
  }
  /** @type {FormButton | null} */
  const button = closest(event.target, "#hand .tiles .fits");
  if (!twoTaps || !button || button.form.id !== "move" || button.hasAttribute("aria-pressed")) return;
  event.preventDefault();
  choose(tileOf(button));
});

match.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || event.buttons || closest(event.target, ".look > .turn")) return;
  const mark = placeAt(event);
  if (mark && moveOf(mark) !== litMove) highlight(moveOf(mark));
});

match.addEventListener("focusin", (event) => {
  /** @type {FormButton | null} */
  const place = closest(event.target, "#choice .act");
  if (place) highlight(place.value);
});

// Raise the tile at once, however slow the connection is.
match.addEventListener("submit", (event) =>
  event.submitter?.closest("#hand .tiles .fits, .act")?.classList.add("asked"),
);
function cancelRequest() {
  requestedTile = null;
  callbacks.length = 0;
  for (const button of queryAll(".asked", match)) button.classList.remove("asked");
}
match.addEventListener(UNSENT, cancelRequest);
onSocket("close", cancelRequest);

// Return whether a frame answers the last request: it shows the tile, or the tile can no longer be chosen.
function isAnswered() {
  return (
    pressedTile() === requestedTile ||
    !isMyTurn() ||
    (requestedTile && !tiles().some((button) => tileOf(button) === requestedTile))
  );
}

// On a small screen the camera zooms in on the places and their previews while they are shown.
function updateCamera() {
  const tile = hasPreviews() ? chosenTile() : "";
  if (tile === zoomedTile) return;
  zoomedTile = tile;
  if (!tile) return restoreView();
  const spots = getById("spots");
  spots.classList.add("measured");
  zoomToPlaces(
    marks().map((mark) => mark.firstElementChild ?? mark),
    queryAll(".look", spots),
  );
  spots.classList.remove("measured");
}

// A frame draws the places without a highlight. Where there is a preview, the first place is highlighted at once.
onZone("notice", cancelRequest);
onZone("hand", () => {
  if (requestedTile !== null && !isAnswered()) return markRequested();
  requestedTile = null;
  const moves = places().map((place) => place.value);
  const initial = hasPreviews() && !document.querySelector(".dragged") ? (moves[0] ?? "") : "";
  highlight(moves.includes(litMove) ? litMove : initial);
  updateCamera();
  for (const callback of callbacks.splice(0)) callback();
});
