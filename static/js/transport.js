// How the messages of a page reach the server: over its socket or, where the network lets no WebSocket through, over
// HTTP. Then each form is sent to its own address, as it is without scripts, and the page polls: the heartbeat's form
// has an address that answers with the frame a socket would send. A sign tells the reader.

import { isFinal } from "./timeout.js";

const PATIENCE = 4_000; // milliseconds without a frame after which the page polls
const PERIOD = 3_000; // milliseconds between two polls
const MAX_PERIOD = 30_000; // shorter than the lease of a seat
const NOT_MODIFIED = 304;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

const page = () => document.querySelector("[hx-ws\\:connect]");
const heartbeat = () => document.getElementById("seen");
let live = false; // the open socket has brought a frame
let polling = false;
let reached = false; // the last request was answered
let period = PERIOD;
let timer = 0;
let etag = ""; // of the frame that the page shows
let requests = Promise.resolve(); // one after the other, so that no older frame comes after a newer one
let pending = 0; // requests that wait or are under way

export const isLive = () => live;

function tell(name) {
  const sign = document.querySelector("[data-polling]");
  if (!sign) return;
  const text = name ? sign.dataset[name] : "";
  if (sign.textContent !== text) sign.textContent = text;
  sign.hidden = !text;
}

const wait = () => {
  timer ||= setTimeout(poll, PATIENCE);
};

function stop() {
  clearTimeout(timer);
  [timer, polling] = [0, false];
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(poll, period);
}

function poll() {
  polling = true;
  schedule();
  if (pending) return; // it brings a frame, and may change what this poll would ask for
  // A hidden page polls only for a player, who must not count as absent.
  if (!document.hidden || "viewer" in page().dataset) heartbeat()?.dispatchEvent(new Event("wake"));
}

document.addEventListener("htmx:ws:before:connection", wait);
document.addEventListener("htmx:ws:before:message:incoming", () => {
  if (live) return;
  stop();
  [live, period] = [true, PERIOD];
  tell("");
});
document.addEventListener("htmx:ws:close", ({ detail: { reason, code } }) => {
  live = false;
  if (reason === "removed") return stop();
  if (isFinal(code)) {
    stop();
    return tell("closed");
  }
  wait();
  if (!polling || !reached) tell("lost");
});

document.addEventListener("htmx:ws:before:message:outgoing", (event) => {
  if (event.defaultPrevented) return;
  const { connection, message } = event.detail;
  if (connection.socket?.readyState === WebSocket.OPEN && !polling) {
    delete message.values.csrfmiddlewaretoken;
    return;
  }
  event.preventDefault();
  pending += 1;
  requests = requests.then(() => send(event.target, event.detail));
});

// Send a message over HTTP. Listeners to the socket are told of it as of a message that the socket took.
async function send(form, detail) {
  form.dispatchEvent(new CustomEvent("htmx:ws:after:message:outgoing", { bubbles: true, detail }));
  const { values } = detail.message;
  const isPost = form.method === "post";
  try {
    // The page to which a form leads is not fetched: a poll brings what came of it.
    if (isPost) await ask(form.action, { method: "POST", body: new URLSearchParams(values) });
    else await get(values);
    [reached, period] = [true, PERIOD];
    if (!live) tell("polling");
  } catch {
    reached = false;
    if (!live) fail(form);
  }
  pending -= 1;
  if (isPost && !live) poll();
}

function fail(form) {
  tell("lost");
  form.dispatchEvent(new Event("unsent", { bubbles: true }));
}

async function get(values) {
  const address = new URL(heartbeat().action);
  for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value);
  const answer = await ask(address, { headers: { "If-None-Match": etag } });
  if (answer.status === NOT_MODIFIED) return;
  if (answer.type === "opaqueredirect") return location.reload(); // the page is no longer for this person
  const text = await answer.text();
  if (live) return; // the socket has brought a newer frame
  etag = answer.headers.get("ETag");
  await htmx.swap({ sourceElement: page(), target: page(), swap: "none swapEmpty:false", text });
}

// Return the answer. Throw if it has to be asked for again, which happens less often from then on.
async function ask(address, options) {
  const headers = { "HX-Request": "true", ...options.headers };
  const answer = await fetch(address, { ...options, headers, redirect: "manual", cache: "no-store" });
  const { status } = answer;
  const elsewhere = answer.headers.get("HX-Redirect");
  if (elsewhere) location.assign(elsewhere);
  else if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR) {
    const seconds = Number(answer.headers.get("Retry-After"));
    period = Math.min(Math.max(2 * period, 1000 * seconds), MAX_PERIOD);
    if (polling) schedule();
    throw new Error(`HTTP ${status}`);
  } else if (status >= 400) location.reload(); // the page says why
  return answer;
}
