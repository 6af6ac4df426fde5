// The server's time, counted from what the page and every frame bring. The device's clock is not read: it may be wrong,
// and may be set during a match.

import { arrival } from "./fallbacks.js";

const MAX_OFFSETS = 8;
const TIME = /^(?:<!--|\{"now":)(\d+)/;
const match = document.getElementById("match");
// How far the server is ahead of performance.now(), by each of the last frames. A frame that was on its way for long
// gives too little, so the most is right, also after a sleep, in which performance.now() stands still on some systems.
const offsets = [];
let newest = "";
// Scripts run later than the page arrives.
note(match.dataset.now, arrival());

function note(time, arrived = performance.now()) {
  offsets.push(Number(time) - arrived);
  if (offsets.length > MAX_OFFSETS) offsets.shift();
}

export const serverNow = () => performance.now() + Math.max(...offsets);

function read(text) {
  const time = TIME.exec(text)?.[1];
  if (!time || time === newest) return; // a frame of the socket is read as it arrives and again as it is swapped
  newest = time;
  note(time);
}

match.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => read(detail.message.data));
// A frame of a page that polls comes over no socket.
match.addEventListener("htmx:before:swap", ({ detail }) => read(detail.ctx.text));
