// The line to the server: what is sent carries what was seen; while the line is lost nothing is sent, and it says so.
// A line may die without a word. So whoever says something and hears nothing hangs up, and the extension dials anew.

const match = document.getElementById("match");
const state = document.getElementById("line-state");
const FINAL = (code) => code === 1000 || code >= 4000;
const LOST = 1006;
const ANSWER = 6000;
let hangUp = 0;

function tell(text) {
  state.textContent = text ?? "";
  state.hidden = !text;
}

match.addEventListener("htmx:ws:before:message:outgoing", (event) => {
  const { connection, message } = event.detail;
  if (connection.socket?.readyState !== WebSocket.OPEN) {
    event.preventDefault();
    if (message.values.type !== "seen") tell(state.dataset.lost);
    return;
  }
  message.values.v = Number(document.getElementById("version").value);
  message.values.r = Number(document.getElementById("sync").dataset.revision);
  delete message.values.csrfmiddlewaretoken;
});

match.addEventListener("htmx:ws:after:message:outgoing", (event) => {
  if (event.target.id === "chat-form") event.target.reset();
  const { socket } = event.detail.connection;
  clearTimeout(hangUp);
  // A close() would wait a minute for the other end's good-bye.
  hangUp = setTimeout(() => socket.dispatchEvent(new CloseEvent("close", { code: LOST })), ANSWER);
});

match.addEventListener("htmx:ws:before:message:incoming", () => clearTimeout(hangUp));

// After a sleep the page asks at once what it missed.
const ask = () => document.hidden || document.getElementById("seen").dispatchEvent(new Event("wake"));
document.addEventListener("visibilitychange", ask);
window.addEventListener("online", ask);

match.addEventListener("htmx:ws:after:connection", () => tell(""));
match.addEventListener("htmx:ws:close", (event) => {
  if (event.detail.reason !== "removed") tell(FINAL(event.detail.code) ? state.dataset.closed : state.dataset.lost);
});

// A refusal stands until a move is made; a line of chat or somebody's coming back does not wipe it away.
const version = () => document.getElementById("version").value;
let toldAt = version();
match.addEventListener("htmx:after:swap", (event) => {
  const told = event.detail.ctx.text.includes('hx-target="#notice"');
  if (!told && version() !== toldAt) document.getElementById("notice").replaceChildren();
  toldAt = version();
});
