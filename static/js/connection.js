// Prepares the messages of a table to the server and reacts to the answers. Each message names the version of the
// table that its sender saw.

import { chosenTile } from "./choice.js";
import { ABNORMAL_CLOSURE, isFinal } from "./timeout.js";
import { isLive } from "./transport.js";

const match = document.getElementById("match");
const HEARTBEAT_MS = 20_000;
const FIRST_HEARTBEAT_MS = 3_000; // a player's first heartbeat measures the lag early
let movedAt = -Infinity; // by performance.now(), which setting the device's clock does not change
let pendingMove = ""; // the move that awaits its answer, with the version it was chosen at
let pendingChat = ""; // the chat line that no frame has shown yet
let lostConnection = null; // the connection that waits for its next attempt
let pendingHintForm = null; // the form of the hints, if it was used while the server was unreachable

match.addEventListener("htmx:ws:before:message:outgoing", (event) => {
  const { values } = event.detail.message;
  if (values.type === "seen" && isLive() && isHeartbeatNeedless()) {
    event.preventDefault();
    return;
  }
  if (values.type === "move") {
    const move = `${version()} ${values.move}`;
    if (move === pendingMove) return event.preventDefault(); // ignore a double tap
    pendingMove = move;
  }
  // a socket remembers the chosen tile, a request does not
  if (values.type === "seen" && !isLive()) values.tile = chosenTile();
  values.v = Number(version());
  values.r = Number(document.getElementById("sync").dataset.revision);
});

match.addEventListener("htmx:ws:after:message:outgoing", (event) => {
  if (event.target.id !== "chat-form") return;
  pendingChat = event.detail.message.values.text;
  event.target.reset();
});

// Allow an unanswered move to be made again, and put a refused or lost chat line back into its field.
function restoreUnsent() {
  const field = document.getElementById("chat-text");
  if (pendingChat && field && !field.value) field.value = pendingChat;
  pendingChat = pendingMove = "";
}

// Players always report their presence, and so do people with push notifications. Other spectators need no heartbeat
// while moves keep arriving.
const reports = "viewer" in match.dataset || "reports" in match.dataset;
const isHeartbeatNeedless = () => !reports && performance.now() - movedAt < HEARTBEAT_MS;

const sendHeartbeat = () => document.getElementById("seen")?.dispatchEvent(new Event("wake"));
if ("viewer" in match.dataset) setTimeout(sendHeartbeat, FIRST_HEARTBEAT_MS);

// A page that becomes visible or online asks at once for what it missed.
function refresh() {
  if (document.hidden) return;
  movedAt = -Infinity;
  reconnect();
  sendHeartbeat();
}

// Reconnect now instead of waiting for the next attempt, which may be far away.
function reconnect() {
  if (!lostConnection?.socket || lostConnection.socket.readyState === WebSocket.CONNECTING) return;
  clearTimeout(lostConnection.timer);
  lostConnection.attempt = 0;
  lostConnection.socket.dispatchEvent(new CloseEvent("close", { code: ABNORMAL_CLOSURE }));
}
document.addEventListener("visibilitychange", refresh);
window.addEventListener("online", refresh);

match.addEventListener("htmx:ws:after:connection", () => {
  lostConnection = null;
  pendingHintForm?.dispatchEvent(new Event("change"));
  pendingHintForm = null;
});
match.addEventListener("htmx:ws:close", (event) => {
  lostConnection = isFinal(event.detail.code) ? null : event.detail.connection;
  if (isLive()) restoreUnsent();
});
match.addEventListener("unsent", ({ target }) => {
  restoreUnsent();
  if (target.id === "hint") pendingHintForm = target;
});

// A refusal stays until a move is made; other frames, such as a chat line, do not remove it.
const version = () => document.getElementById("version").value;
let shownVersion = version();
match.addEventListener("htmx:after:swap", (event) => {
  const { text } = event.detail.ctx;
  const hasNotice = text.includes('<hx-partial id="notice"');
  if (hasNotice) restoreUnsent();
  if (/<hx-partial id="(messages|spectator-chat)"/.test(text)) pendingChat = "";
  if (version() === shownVersion) return;
  if (!hasNotice) document.getElementById("notice").replaceChildren();
  shownVersion = version();
  movedAt = performance.now();
});
