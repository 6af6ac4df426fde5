// @ts-check
// Prepares the messages of a table to the server and reacts to the answers. Each message names the version of the
// table that its sender saw.

import { chosenTile } from "./choice.js";
import { data, findById, getById, UNSENT, WAKE } from "./dom.js";
import { onSocket } from "./socket.js";
import { ABNORMAL_CLOSURE, isFinal } from "./timeout.js";
import { isLive } from "./transport.js";
import { onUpdate } from "./updates.js";

const match = getById("match");
const HEARTBEAT_MS = 20_000;
const FIRST_HEARTBEAT_MS = 3_000; // a player's first heartbeat measures the lag early
let movedAt = -Infinity; // by performance.now(), which setting the device's clock does not change
let pendingMove = ""; // the move that awaits its answer, with the version it was chosen at
let pendingChat = ""; // the chat line that no frame has shown yet
/** @type {SocketConnection | null} the connection that waits for its next attempt */
let lostConnection = null;
/** @type {HTMLFormElement | null} the form of the hints, if it was used while the server was unreachable */
let pendingHintForm = null;

/** @param {CustomEvent<SocketMessage>} event */
function prepareMessage(event) {
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
  values.r = Number(data(getById("sync")).revision);
}

onSocket("send", prepareMessage, { first: true });

onSocket("sent", (event) => {
  if (event.target !== findById("chat-form")) return;
  pendingChat = String(event.detail.message.values.text);
  findById("chat-form")?.reset();
});

// Allow an unanswered move to be made again, and put a refused or lost chat line back into its field.
function restoreUnsent() {
  const field = findById("chat-text");
  if (pendingChat && field && !field.value) field.value = pendingChat;
  pendingChat = pendingMove = "";
}

// Players always report their presence, and so do people with push notifications. Other spectators need no heartbeat
// while moves keep arriving.
const reports = "viewer" in data(match) || "reports" in data(match);
const isHeartbeatNeedless = () => !reports && performance.now() - movedAt < HEARTBEAT_MS;

const sendHeartbeat = () => findById("seen")?.dispatchEvent(new Event(WAKE));
if ("viewer" in data(match)) setTimeout(sendHeartbeat, FIRST_HEARTBEAT_MS);

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

onSocket("open", () => {
  lostConnection = null;
  pendingHintForm?.dispatchEvent(new Event("change"));
  pendingHintForm = null;
});
/** @param {CustomEvent<SocketClose>} event */
function onClose({ detail: { code, connection } }) {
  lostConnection = isFinal(code) ? null : connection;
  if (isLive()) restoreUnsent();
}
onSocket("close", onClose, { first: true }); // before it stops counting as live
match.addEventListener(UNSENT, ({ target }) => {
  restoreUnsent();
  if (target === findById("hint")) pendingHintForm = findById("hint");
});

// A refusal stays until a move is made; other frames, such as a chat line, do not remove it.
const version = () => getById("version").value;
let shownVersion = version();
onUpdate(({ zones }) => {
  const hasNotice = zones.has("notice");
  if (hasNotice) restoreUnsent();
  if (zones.has("messages") || zones.has("spectator-chat")) pendingChat = "";
  if (version() === shownVersion) return;
  if (!hasNotice) getById("notice").replaceChildren();
  shownVersion = version();
  movedAt = performance.now();
});
