// @ts-check
// Reports in the heartbeat whether the page is visible: visible pages need no push notifications.

import { findById, WAKE } from "./dom.js";

let isConnected = false;
for (const [event, state] of Object.entries({ "htmx:ws:after:connection": true, "htmx:ws:close": false })) {
  document.addEventListener(event, () => {
    isConnected = state;
  });
}

document.addEventListener("htmx:ws:before:message:outgoing", ({ detail }) => {
  const { values } = detail.message;
  if (values.type === "seen") values.visible = !document.hidden;
});

// A page that becomes visible again reports it by itself or with its next heartbeat.
document.addEventListener("visibilitychange", () => {
  if (document.hidden && isConnected) findById("seen")?.dispatchEvent(new Event(WAKE));
});
