// @ts-check
// The server's time, calculated from the times in the page and in frames. The device's clock may be wrong or changed
// during a match, so it is not read.

import { data, getById } from "./dom.js";
import { arrival } from "./fallbacks.js";
import { onSocket } from "./socket.js";
import { beforeUpdate, timeOf } from "./updates.js";

const MAX_OFFSETS = 8;
// How far the server is ahead of performance.now(), measured by the last frames. A delayed frame gives too small an
// offset, so the largest is right; also after sleep, when performance.now() stands still on some systems.
/** @type {number[]} */
const offsets = [];
let latestTime = "";
// The page arrived before its scripts run.
addOffset(Number(data(getById("match")).now), arrival());

/** @param {number} time @param {number} [arrived] */
function addOffset(time, arrived = performance.now()) {
  offsets.push(time - arrived);
  if (offsets.length > MAX_OFFSETS) offsets.shift();
}

export const serverNow = () => performance.now() + Math.max(...offsets);

/** @param {string} time */
function read(time) {
  // a frame of the socket is read when it arrives and again when it is swapped
  if (!time || time === latestTime) return;
  latestTime = time;
  addOffset(Number(time));
}

onSocket("frame", ({ detail }) => read(timeOf(detail.message.data)));
// Frames of a polling page do not come over the socket.
beforeUpdate(({ time }) => read(time));
