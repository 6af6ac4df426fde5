// Which tile is chosen, and where it may go. The server draws the places of the chosen tile; this module asks for
// them and highlights one. In games with a preview the first touch shows a placement and the second plays it; a mouse
// shows it by hovering.

export const match = document.getElementById("match");
const twoTaps = match.hasAttribute("data-two-taps");
const ask = document.getElementById("ask");
const THUMB = 40; // pixels
let lit = "";
const waiting = [];
let asked = null; // the tile whose places were requested and are not there yet; "" to choose none

export const tiles = () => [...match.querySelectorAll("#hand .tiles button")];
export const places = () => [...match.querySelectorAll("#choice .act")];
export const chosenTile = () => asked ?? match.querySelector("#hand .tiles [aria-pressed]")?.dataset.tile ?? "";
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
  for (const button of tiles()) button.classList.toggle("asked", button.dataset.tile === asked);
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
  for (const mark of marks()) mark.classList.toggle("near", mark.dataset.move === move);
  for (const place of places()) place.classList.toggle("on", place.value === move);
}

// Return the visible place whose middle is nearest to a point of the screen, null if none is within so many pixels.
export function nearest(x, y, within) {
  let best = null;
  const seen = document.getElementById("lens").getBoundingClientRect();
  for (const mark of marks()) {
    const box = (mark.firstElementChild ?? mark).getBoundingClientRect();
    const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
    const shown = left > seen.left && left < seen.right && top > seen.top && top < seen.bottom;
    const distance = Math.hypot(left - x, top - y);
    if (shown && distance < (best?.distance ?? within)) best = { mark, distance };
  }
  return best?.mark ?? null;
}

// Return the place that a press means: a thumb may miss a small one, which does no harm where there is a preview.
function pressed(event) {
  const mark = event.target.closest("#spots .place");
  if (mark || !tried() || !event.target.closest("#lens")) return mark;
  return nearest(event.clientX, event.clientY, THUMB);
}

match.addEventListener("click", (event) => {
  const move = pressed(event)?.dataset.move;
  if (move) return tried() && move !== lit ? light(move) : play(move);
  if (event.target.closest(".another")) {
    event.preventDefault();
    tiles()
      .find((button) => button.dataset.tile === chosenTile())
      ?.focus();
    return choose("");
  }
  const button = event.target.closest("#hand .tiles .fits");
  if (!twoTaps || !button || button.form.id !== "move" || button.hasAttribute("aria-pressed")) return;
  event.preventDefault();
  choose(button.dataset.tile);
});

match.addEventListener("pointerover", (event) => {
  const mark = event.pointerType === "mouse" && event.target.closest("#spots .place");
  if (mark) light(mark.dataset.move);
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
  const pressed = match.querySelector("#hand .tiles [aria-pressed]")?.dataset.tile ?? "";
  return (
    pressed === asked ||
    !match.querySelector("#hand.mine") ||
    (asked && !tiles().some((button) => button.dataset.tile === asked))
  );
}

// A frame draws the places without a highlight. A single place is highlighted by itself.
document.addEventListener("htmx:after:swap", (event) => {
  const text = event.detail?.ctx?.text ?? "";
  if (text.includes('id="notice"')) forget();
  if (text && !text.includes('id="hand"')) return;
  if (asked !== null && !answered()) return lift();
  asked = null;
  const moves = places().map((place) => place.value);
  light(moves.includes(lit) ? lit : tried() && moves.length === 1 ? moves[0] : "");
  for (const act of waiting.splice(0)) act();
});
