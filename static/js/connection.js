// What a table says to the server, and what it makes of the answers. A message says which version its sender saw.

import { chosenTile } from "./choice.js";
import { isFinal, LOST } from "./timeout.js";
import { isLive } from "./transport.js";

const match = document.getElementById("match");
const BEAT = 20_000;
const FIRST_BEAT = 3_000; // of a seat, so that its lag is soon known
let movedAt = -Infinity; // on the time line of performance.now(), which setting the clock does not move
let sent = ""; // the move that waits for its answer, with the version it was chosen at
let said = ""; // the line of chat that nobody has seen yet
let lost = null; // the connection that waits for its next attempt
let switched = null; // the form of the hints, used while the server could not be reached

match.addEventListener("htmx:ws:before:message:outgoing", (event) => {
  const { values } = event.detail.message;
  if (values.type === "seen" && isLive() && isNeedless()) {
    event.preventDefault();
    return;
  }
  if (values.type === "move") {
    const move = `${version()} ${values.move}`;
    if (move === sent) return event.preventDefault(); // a second tap is no second move
    sent = move;
  }
  if (values.type === "seen" && !isLive()) values.tile = chosenTile(); // a request remembers nothing, a socket does
  values.v = Number(version());
  values.r = Number(document.getElementById("sync").dataset.revision);
});

match.addEventListener("htmx:ws:after:message:outgoing", (event) => {
  if (event.target.id !== "chat-form") return;
  said = event.detail.message.values.text;
  event.target.reset();
});

// An unanswered move may be made again; a line of chat that was refused or lost comes back into its field.
function takeBack() {
  const field = document.getElementById("chat-text");
  if (said && field && !field.value) field.value = said;
  said = sent = "";
}

// A player always reports to be there, and so do people who get pushes. Any other spectator who is shown move after
// move has nothing to ask for.
const reports = "viewer" in match.dataset || "reports" in match.dataset;
const isNeedless = () => !reports && performance.now() - movedAt < BEAT;

const beat = () => document.getElementById("seen")?.dispatchEvent(new Event("wake"));
if ("viewer" in match.dataset) setTimeout(beat, FIRST_BEAT);

// A page that wakes up asks at once for what it missed.
function ask() {
  if (document.hidden) return;
  movedAt = -Infinity;
  dial();
  beat();
}

// Somebody who comes back does not wait for the next attempt, which may be far away.
function dial() {
  if (!lost?.socket || lost.socket.readyState === WebSocket.CONNECTING) return;
  clearTimeout(lost.timer);
  lost.attempt = 0;
  lost.socket.dispatchEvent(new CloseEvent("close", { code: LOST }));
}
document.addEventListener("visibilitychange", ask);
window.addEventListener("online", ask);

match.addEventListener("htmx:ws:after:connection", () => {
  lost = null;
  switched?.dispatchEvent(new Event("change"));
  switched = null;
});
match.addEventListener("htmx:ws:close", (event) => {
  lost = isFinal(event.detail.code) ? null : event.detail.connection;
  if (isLive()) takeBack();
});
match.addEventListener("unsent", ({ target }) => {
  takeBack();
  if (target.id === "hint") switched = target;
});

// A refusal stays until a move is made; a line of chat or somebody's return does not remove it.
const version = () => document.getElementById("version").value;
let toldAt = version();
match.addEventListener("htmx:after:swap", (event) => {
  const { text } = event.detail.ctx;
  const told = text.includes('<hx-partial id="notice"');
  if (told) takeBack();
  if (/<hx-partial id="(messages|spectator-chat)"/.test(text)) said = "";
  if (version() === toldAt) return;
  if (!told) document.getElementById("notice").replaceChildren();
  toldAt = version();
  movedAt = performance.now();
});
