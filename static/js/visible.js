// @ts-check
// Reports in the heartbeat whether the page is visible: visible pages need no push notifications.

import { findById, WAKE } from "./dom.js";
import { onSocket } from "./socket.js";

let isConnected = false;

// A new connection counts as visible. A page that becomes visible again reports it by itself or with its next heartbeat.
function reportHidden() {
  if (document.hidden && isConnected) findById("seen")?.dispatchEvent(new Event(WAKE));
}

onSocket("open", () => {
  isConnected = true;
  reportHidden();
});
onSocket("close", () => {
  isConnected = false;
});
onSocket("send", ({ detail }) => {
  const { values } = detail.message;
  if (values.type === "seen") values.visible = !document.hidden;
});

document.addEventListener("visibilitychange", reportHidden);
