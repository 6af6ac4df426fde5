// @ts-check
// Detects dead connections: if no answer arrives in time, the page closes the connection and the htmx extension
// reconnects.

import { findById } from "./dom.js";
import { onSocket } from "./socket.js";

export const ABNORMAL_CLOSURE = 1006;
const TRY_AGAIN_LATER = 4013; // too many pages are open from this address, or reconnect at once
/** @param {number | null} code */
export const isFinal = (code) => code === 1000 || (code !== null && code !== TRY_AGAIN_LATER && code >= 4000);
const ANSWER_TIMEOUT_MS = 6000;
let timer = 0;

onSocket("sent", ({ detail }) => {
  const { socket } = detail.connection;
  clearTimeout(timer);
  if (socket?.readyState !== WebSocket.OPEN) return; // the message went over HTTP
  // close() would wait a minute for the other side's close frame.
  timer = setTimeout(
    () => socket.dispatchEvent(new CloseEvent("close", { code: ABNORMAL_CLOSURE })),
    ANSWER_TIMEOUT_MS,
  );
});

onSocket("frame", () => clearTimeout(timer));

// Wait about four seconds, as before a third attempt: the connection opened briefly, which would reset the delay.
onSocket("close", ({ detail }) => {
  if (detail.code === TRY_AGAIN_LATER) detail.connection.attempt = 2;
  if (isFinal(detail.code)) findById("seen")?.remove(); // stop the heartbeat
});
