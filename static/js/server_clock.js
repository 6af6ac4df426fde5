// @ts-check
// The server's time, calculated from the times in the page and in frames. The device's clock may be wrong or changed
// during a match, so it is not read.

import { data, getById } from "./dom.js";
import { arrival } from "./fallbacks.js";

const MAX_OFFSETS = 8;
const TIME = /^(?:<!--|\{"now":)(\d+)/;
const match = getById("match");
// How far the server is ahead of performance.now(), measured by the last frames. A delayed frame gives too small an
// offset, so the largest is right; also after sleep, when performance.now() stands still on some systems.
/** @type {number[]} */
const offsets = [];
let latestTime = "";
// The page arrived before its scripts run.
addOffset(Number(data(match).now), arrival());

/** @param {number} time @param {number} [arrived] */
function addOffset(time, arrived = performance.now()) {
  offsets.push(time - arrived);
  if (offsets.length > MAX_OFFSETS) offsets.shift();
}

export const serverNow = () => performance.now() + Math.max(...offsets);

/** @param {string} [text] */
function read(text = "") {
  const time = TIME.exec(text)?.[1];
  // a frame of the socket is read when it arrives and again when it is swapped
  if (!time || time === latestTime) return;
  latestTime = time;
  addOffset(Number(time));
}

match.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => read(detail.message.data));
// Frames of a polling page do not come over the socket.
match.addEventListener("htmx:before:swap", ({ detail }) => read(detail.ctx.text));
