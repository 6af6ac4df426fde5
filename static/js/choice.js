// Which tile is chosen, and where it may go. The server draws the places of the chosen tile; this asks for them,
// and shows which of them is looked at. In games where a placement is tried before it is made, the first touch only
// looks, the second plays; a mouse looks by pointing.

export const match = document.getElementById("match");
const twoTaps = match.hasAttribute("data-two-taps");
const ask = document.getElementById("ask");
const THUMB = 40; // pixels
let lit = "";
const waiting = [];
let asked = null; // the tile whose places were asked for and are not yet there; "" to let go

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

// Do something once the places that were asked for are there.
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

// The place in sight whose middle is nearest to a point of the screen, none if all are further than so many pixels.
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

// What a press means: a thumb covers more than a small place, and where a place is tried first it may miss it.
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

// What is on its way to the server is lifted at once, however slow the line.
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

// Whether a frame answers what was asked last: it shows the tile, or none can be chosen any more.
function answered() {
  const pressed = match.querySelector("#hand .tiles [aria-pressed]")?.dataset.tile ?? "";
  return (
    pressed === asked ||
    !match.querySelector("#hand.mine") ||
    (asked && !tiles().some((button) => button.dataset.tile === asked))
  );
}

// A frame draws the places anew, as if none were looked at. The only place there is needs no pointing at.
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
