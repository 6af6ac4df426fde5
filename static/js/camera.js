// @ts-check
// Zooms and pans the table: the wheel and two fingers zoom about where they point, a drag pans. The view is a CSS
// transform on #lens. Updates replace the drawings inside it but not #lens itself, so the view does not jump.

import { keepClear } from "./corner.js";
import { closest, data, getById } from "./dom.js";
import { mediaQuery, onResize } from "./fallbacks.js";
import "./refit.js";
import { swallowClick } from "./swallow.js";
import { onZone } from "./updates.js";

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { scale: number }} View */

const lens = getById("lens");
const felt = /** @type {HTMLElement} */ (lens.parentElement);
const buttons = getById("zoom");
const MAX_SCALE = 4;
const MIN_SCALE = 1.02; // a smaller scale snaps to 1
const MIN_AUTO_SCALE = 1.15; // the camera ignores a smaller gain when it zooms by itself
const ZOOM_STEP = 1.5;
const PAN_STEP_PX = 80; // how far a key pans
const TOUCH_TARGET_PX = 44; // smallest comfortable touch target
const DRAG_THRESHOLD_PX = 8; // a press that moves farther is a drag
const WHEEL_PAUSE_MS = 250; // a gesture of the wheel ends after this long without an event
const DOUBLE_TAP_MS = 300; // longest pause between the taps of a double tap
/** @type {View} */
let view = { scale: 1, x: 0, y: 0 };
// the start of a drag: its point, the view at that time, and whether it has moved
/** @type {(Point & { from: View, moving: boolean }) | null} */
let drag = null;
/** @type {Point[]} */
let lastPoints = [];
let lastTapAt = 0;
let lastWheelAt = -Infinity;
let isAutomatic = false; // the camera zoomed by itself, not the viewer

const isZoomed = () => view.scale > 1;
/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
/** @param {Point} one @param {Point} other */
const midpoint = (one, other) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
/** @param {Point} one @param {Point} other */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

// The view never pans beyond the felt, so the board cannot get lost.
/** @param {View} view @param {{ animated?: boolean }} [options] */
function setView({ scale, x, y }, { animated = false } = {}) {
  const { clientWidth: width, clientHeight: height } = lens;
  view = { scale, x: clamp(x, width * (1 - scale), 0), y: clamp(y, height * (1 - scale), 0) };
  lens.style.setProperty("--view", isZoomed() ? `translate(${view.x}px, ${view.y}px) scale(${scale})` : "none");
  lens.classList.toggle("animated", animated);
  felt.classList.toggle("zoomed", isZoomed());
  // The other buttons are hidden without zoom. Keep the focus in the group.
  const [zoomInButton] = buttons.children;
  if (!isZoomed() && buttons.contains(document.activeElement) && zoomInButton instanceof HTMLElement)
    zoomInButton.focus();
}

/** @param {number} x @param {number} y @param {View} [from] @param {{ animated?: boolean }} [options] */
function pan(x, y, from = view, options = {}) {
  isAutomatic = false;
  setView({ scale: view.scale, x: from.x + x, y: from.y + y }, options);
}

// Zoom while keeping a point of the window in place, by default the middle of the felt.
/** @param {number} factor @param {Point | null} point @param {{ animated?: boolean }} [options] */
function zoom(factor, point, options) {
  isAutomatic = false;
  const box = lens.getBoundingClientRect();
  const size = box.width / lens.clientWidth || 1; // between rounds the felt is drawn smaller
  const x = ((point?.x ?? box.left + box.width / 2) - box.left) / size;
  const y = ((point?.y ?? box.top + box.height / 2) - box.top) / size;
  const target = clamp(view.scale * factor, 1, MAX_SCALE);
  const scale = target < MIN_SCALE ? 1 : target;
  const ratio = scale / view.scale;
  setView({ scale, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }, options);
}

const zoomIn = () => zoom(ZOOM_STEP, null, { animated: true });
const zoomOut = () => zoom(1 / ZOOM_STEP, null, { animated: true });
const showAll = () => setView({ scale: 1, x: 0, y: 0 }, { animated: true });

// Zoom in until the places are as large as a finger needs, while all of them and their previews stay visible. A view
// that the viewer chose stays.
/** @param {Element[]} pressable @param {Element[]} previews */
export function zoomToPlaces(pressable, previews) {
  if ((isZoomed() && !isAutomatic) || !mediaQuery("(pointer: coarse)").matches) return;
  const { clientHeight: height } = lens;
  const width = lens.clientWidth - buttons.offsetWidth;
  const feltBox = lens.getBoundingClientRect();
  /** @param {Element[]} drawings */
  const boxes = (drawings) => drawings.map((drawing) => drawing.getBoundingClientRect()).filter((box) => box.width);
  const shownBoxes = boxes([...pressable, ...previews]);
  /** @param {"left" | "right" | "top" | "bottom"} side */
  const edge = (side) => shownBoxes.map((box) => box[side]);
  const smallest = Math.min(...boxes(pressable).map((box) => Math.min(box.width, box.height))) / view.scale;
  const [left, right] = [Math.min(...edge("left")), Math.max(...edge("right"))];
  const [top, bottom] = [Math.min(...edge("top")), Math.max(...edge("bottom"))];
  const margin = smallest * view.scale;
  const room = Math.min(width / (right - left + margin), height / (bottom - top + margin));
  const scale = clamp(Math.min(TOUCH_TARGET_PX / smallest, room * view.scale), 1, MAX_SCALE);
  if (scale < MIN_AUTO_SCALE) return restoreView();
  const ratio = scale / view.scale;
  const x = (left + right) / 2 - feltBox.left - view.x;
  const y = (top + bottom) / 2 - feltBox.top - view.y;
  setView({ scale, x: width / 2 - x * ratio, y: height / 2 - y * ratio }, { animated: true });
  isAutomatic = true;
}

// Show the whole table again, unless the viewer has moved the view since.
export function restoreView() {
  if (isAutomatic) showAll();
  isAutomatic = false;
}

/** @type {Record<string, () => void>} */
const ACTIONS = { closer: zoomIn, farther: zoomOut, all: showAll };
/** @type {Record<string, [number, number]>} */
const PAN_DIRECTIONS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Handle a key that zooms or pans, and return whether it did. Without zoom, 0 chooses a tile.
/** @param {string} key @param {boolean} shift */
export function handleViewKey(key, shift) {
  if (key === "+" || key === "=") zoomIn();
  else if (!isZoomed()) return false;
  else if (key === "-" || key === "_") zoomOut();
  else if (key === "0") showAll();
  else if (shift && PAN_DIRECTIONS[key]) {
    const [x, y] = PAN_DIRECTIONS[key];
    pan(x * PAN_STEP_PX, y * PAN_STEP_PX, view, { animated: true });
  } else return false;
  return true;
}

/** @param {Point} point @param {EventTarget | null} target */
function startDrag(point, target) {
  drag = isZoomed() && !closest(target, ".place") ? { ...point, from: view, moving: false } : null;
}

/** @param {Point} point */
function continueDrag(point) {
  if (!drag) return false;
  drag.moving ||= distance(drag, point) > DRAG_THRESHOLD_PX;
  if (drag.moving) pan(point.x - drag.x, point.y - drag.y, drag.from);
  return drag.moving;
}

// Mouse and pen
lens.addEventListener(
  "wheel",
  (event) => {
    // let the page scroll
    if (!isZoomed() && event.deltaY > 0 && event.timeStamp - lastWheelAt > WHEEL_PAUSE_MS) return;
    event.preventDefault();
    lastWheelAt = event.timeStamp;
    const pixelsPerUnit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    zoom(Math.exp(-clamp(event.deltaY * pixelsPerUnit, -150, 150) * (event.ctrlKey ? 0.01 : 0.003)), event);
  },
  { passive: false },
);
lens.addEventListener("pointerdown", (event) => {
  if (event.pointerType !== "touch" && event.button === 0)
    startDrag({ x: event.clientX, y: event.clientY }, event.target);
});
window.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "touch") continueDrag({ x: event.clientX, y: event.clientY });
});
window.addEventListener("pointerup", (event) => {
  if (event.pointerType === "touch") return;
  if (drag?.moving) swallowClick();
  drag = null;
});
lens.addEventListener("dblclick", (event) => {
  if (!closest(event.target, ".place")) showAll();
});

// Touch: one finger pans a zoomed view and otherwise scrolls the page, two fingers zoom
/** @param {TouchEvent} event */
function touchPoints(event) {
  const touches = [...event.touches].filter(({ target }) => target instanceof Node && lens.contains(target));
  return touches.map((touch) => ({ x: touch.clientX, y: touch.clientY }));
}

/** @param {TouchEvent} event */
function onTouch(event) {
  lastPoints = touchPoints(event);
  if (lastPoints.length === 1) startDrag(lastPoints[0], event.target);
  else drag = null;
}

lens.addEventListener("touchstart", onTouch, { passive: true });
lens.addEventListener(
  "touchmove",
  (event) => {
    const points = touchPoints(event);
    if (points.length === 2 && lastPoints.length === 2) {
      const [before, after] = [midpoint(lastPoints[0], lastPoints[1]), midpoint(points[0], points[1])];
      zoom(distance(points[0], points[1]) / distance(lastPoints[0], lastPoints[1]), before);
      pan(after.x - before.x, after.y - before.y);
    } else if (points.length !== 1 || !continueDrag(points[0])) return;
    lastPoints = points;
    if (event.cancelable) event.preventDefault();
  },
  { passive: false },
);
lens.addEventListener("touchend", (event) => {
  const isTap = lastPoints.length === 1 && !drag?.moving && !closest(event.target, ".place");
  if (isTap && event.timeStamp - lastTapAt < DOUBLE_TAP_MS) showAll();
  lastTapAt = isTap ? event.timeStamp : 0;
  onTouch(event);
});
lens.addEventListener("touchcancel", onTouch);

// A review swaps the whole table, and the server does not know the zoom: apply it again.
function update() {
  buttons.hidden = false;
  setView(view);
  keepClear();
}

update();
onZone(["lens", "board", "result", "zoom"], update);
buttons.addEventListener("click", (event) => {
  const button = closest(event.target, "button");
  if (button) ACTIONS[data(button).zoom ?? ""]?.();
});
onResize(lens, () => {
  setView(view);
  keepClear();
});
