// Zooming and panning the table: the wheel and two fingers zoom about where they point, a drag pans.
// The view belongs to the wrapper of the drawings, which no frame swaps, so nothing jumps.

import { keepClear } from "./corner.js";
import { mediaQuery, onResize } from "./fallbacks.js";
import "./refit.js";
import { swallowClick } from "./swallow.js";

const lens = document.getElementById("lens");
const buttons = document.getElementById("zoom");
const MOST = 4;
const ALMOST = 1.02; // less than this is no zoom
const WORTH = 1.15; // less than this the camera does not move by itself
const STEP = 1.5;
const STRIDE = 80; // pixels by which a key pans
const FINGER = 44; // pixels that a finger needs
const FAR = 8; // pixels after which a press is a drag
const REST = 250; // milliseconds after which a turn of the wheel is a new gesture
const TWICE = 300; // milliseconds between the taps of a double tap
let view = { scale: 1, x: 0, y: 0 };
let held = null; // where the mouse or a finger went down, and what was shown then
let fingers = [];
let tapped = 0;
let wheeled = -Infinity;
let led = false; // closer by itself, and not by the viewer's hand

const zoomed = () => view.scale > 1;
const limited = (value, least, most) => Math.min(most, Math.max(least, value));
const between = (one, other) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
const apart = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

// Fully zoomed out the view shows everything, and it never pans beyond that: the board cannot get lost.
function look({ scale, x, y }, { calm = false } = {}) {
  const { clientWidth: width, clientHeight: height } = lens;
  view = { scale, x: limited(x, width * (1 - scale), 0), y: limited(y, height * (1 - scale), 0) };
  lens.style.setProperty("--view", zoomed() ? `translate(${view.x}px, ${view.y}px) scale(${scale})` : "none");
  lens.classList.toggle("calm", calm);
  lens.parentElement.classList.toggle("zoomed", zoomed());
  if (!zoomed() && buttons.contains(document.activeElement)) buttons.firstElementChild.focus();
}

function move(x, y, from = view, manner = {}) {
  led = false;
  look({ scale: view.scale, x: from.x + x, y: from.y + y }, manner);
}

// Zoom so that what is shown at a point of the window (the middle of the felt, if none is given) stays there.
function zoom(factor, point, manner) {
  led = false;
  const box = lens.getBoundingClientRect();
  const x = (point?.x ?? box.left + box.width / 2) - box.left;
  const y = (point?.y ?? box.top + box.height / 2) - box.top;
  const wanted = limited(view.scale * factor, 1, MOST);
  const scale = wanted < ALMOST ? 1 : wanted;
  const grown = scale / view.scale;
  look({ scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown }, manner);
}

const closer = () => zoom(STEP, null, { calm: true });
const farther = () => zoom(1 / STEP, null, { calm: true });
const all = () => look({ scale: 1, x: 0, y: 0 }, { calm: true });

// Go closer to what can be pressed, as far as a finger needs and all of it and its previews stay in sight, unless the
// viewer chose a view.
export function goCloser(pressable, previews) {
  if ((zoomed() && !led) || !mediaQuery("(pointer: coarse)").matches) return;
  const { clientHeight: height } = lens;
  const width = lens.clientWidth - buttons.offsetWidth;
  const felt = lens.getBoundingClientRect();
  const boxes = (drawings) => drawings.map((each) => each.getBoundingClientRect()).filter((box) => box.width);
  const shown = boxes([...pressable, ...previews]);
  const edge = (side) => shown.map((box) => box[side]);
  const small = Math.min(...boxes(pressable).map((box) => Math.min(box.width, box.height))) / view.scale;
  const [left, right] = [Math.min(...edge("left")), Math.max(...edge("right"))];
  const [top, bottom] = [Math.min(...edge("top")), Math.max(...edge("bottom"))];
  const edges = small * view.scale;
  const room = Math.min(width / (right - left + edges), height / (bottom - top + edges));
  const scale = limited(Math.min(FINGER / small, room * view.scale), 1, MOST);
  if (scale < WORTH) return goBack();
  const grown = scale / view.scale;
  const x = (left + right) / 2 - felt.left - view.x;
  const y = (top + bottom) / 2 - felt.top - view.y;
  look({ scale, x: width / 2 - x * grown, y: height / 2 - y * grown }, { calm: true });
  led = true;
}

// Show the whole table again, if nobody has moved the view since.
export function goBack() {
  if (led) all();
  led = false;
}

const ACTS = { closer, farther, all };
const STRIDES = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Do what a key asks of the view, and return whether it did. While nothing is zoomed, 0 chooses a tile.
export function viewKey(key, shift) {
  if (key === "+" || key === "=") closer();
  else if (!zoomed()) return false;
  else if (key === "-" || key === "_") farther();
  else if (key === "0") all();
  else if (shift && STRIDES[key]) move(...STRIDES[key].map((part) => part * STRIDE), view, { calm: true });
  else return false;
  return true;
}

function hold(point, target) {
  held = zoomed() && !target.closest(".place") ? { ...point, from: view, moving: false } : null;
}

function pull(point) {
  if (!held) return false;
  held.moving ||= apart(held, point) > FAR;
  if (held.moving) move(point.x - held.x, point.y - held.y, held.from);
  return held.moving;
}

// Mouse and pen
lens.addEventListener(
  "wheel",
  (event) => {
    if (!zoomed() && event.deltaY > 0 && event.timeStamp - wheeled > REST) return; // the page scrolls
    event.preventDefault();
    wheeled = event.timeStamp;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    zoom(Math.exp(-limited(event.deltaY * lines, -150, 150) * (event.ctrlKey ? 0.01 : 0.003)), event);
  },
  { passive: false },
);
lens.addEventListener("pointerdown", (event) => {
  if (event.pointerType !== "touch" && event.button === 0) hold({ x: event.clientX, y: event.clientY }, event.target);
});
window.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "touch") pull({ x: event.clientX, y: event.clientY });
});
window.addEventListener("pointerup", (event) => {
  if (event.pointerType === "touch") return;
  if (held?.moving) swallowClick();
  held = null;
});
lens.addEventListener("dblclick", (event) => {
  if (!event.target.closest(".place")) all();
});

// Fingers: one pans a zoomed view and otherwise scrolls the page, two zoom
function points(event) {
  const here = [...event.touches].filter((touch) => lens.contains(touch.target));
  return here.map((touch) => ({ x: touch.clientX, y: touch.clientY }));
}

function touched(event) {
  fingers = points(event);
  if (fingers.length === 1) hold(fingers[0], event.target);
  else held = null;
}

lens.addEventListener("touchstart", touched, { passive: true });
lens.addEventListener(
  "touchmove",
  (event) => {
    const now = points(event);
    if (now.length === 2 && fingers.length === 2) {
      const [was, is] = [between(...fingers), between(...now)];
      zoom(apart(...now) / apart(...fingers), was);
      move(is.x - was.x, is.y - was.y);
    } else if (now.length !== 1 || !pull(now[0])) return;
    fingers = now;
    if (event.cancelable) event.preventDefault();
  },
  { passive: false },
);
lens.addEventListener("touchend", (event) => {
  const tap = fingers.length === 1 && !held?.moving && !event.target.closest(".place");
  if (tap && event.timeStamp - tapped < TWICE) all();
  tapped = tap ? event.timeStamp : 0;
  touched(event);
});
lens.addEventListener("touchcancel", touched);

// A page that swaps the whole table (a review) brings it unzoomed, for the server knows no zoom.
function settle() {
  buttons.hidden = false;
  look(view);
  keepClear();
}

settle();
document.addEventListener("htmx:after:swap", settle);
buttons.addEventListener("click", (event) => ACTS[event.target.closest("button")?.dataset.zoom]?.());
onResize(lens, () => {
  look(view);
  keepClear();
});
