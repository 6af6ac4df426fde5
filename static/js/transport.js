// @ts-check
// Sends the page's messages over its socket or, where the network blocks WebSockets, over HTTP. Over HTTP forms are
// sent to their own addresses, as without scripts, and the page polls: the address of the heartbeat's form answers
// with the frame that a socket would send. A sign tells the reader.

import { data, findById, getById, query, UNSENT, WAKE } from "./dom.js";
import { onSocket, reportSent } from "./socket.js";
import { isFinal } from "./timeout.js";

const SOCKET_TIMEOUT_MS = 4_000; // without a frame for this long, the page polls
const POLL_MS = 3_000; // between two polls
const MAX_POLL_MS = 30_000; // shorter than the lease of a seat
const NOT_MODIFIED = 304;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

const page = () => /** @type {HTMLElement} */ (query("[hx-ws\\:connect]"));
const heartbeat = () => findById("seen");
let hasLiveSocket = false; // the open socket has delivered a frame
let isPolling = false;
let isServerReachable = false; // the last request was answered
let pollMs = POLL_MS;
let timer = 0;
let etag = ""; // of the frame that the page shows
/** @type {Promise<void>} */
let queue = Promise.resolve(); // one at a time, so that an older frame cannot follow a newer one
let pendingCount = 0; // requests that wait or are under way

export const isLive = () => hasLiveSocket;
export const isConnected = () => hasLiveSocket || (isPolling && isServerReachable);

/** @param {"lost" | "polling" | "closed" | ""} name */
function showState(name) {
  const sign = query("[data-polling]");
  if (!sign) return;
  const text = (name && data(sign)[name]) ?? "";
  if (sign.textContent !== text) sign.textContent = text;
  sign.hidden = !text;
}

const startTimeout = () => {
  timer ||= setTimeout(poll, SOCKET_TIMEOUT_MS);
};

function stopPolling() {
  clearTimeout(timer);
  [timer, isPolling] = [0, false];
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(poll, pollMs);
}

function poll() {
  isPolling = true;
  schedule();
  if (pendingCount) return; // its answer brings a frame, and may change what this poll would request
  // A hidden page polls only for a player, who must not count as absent.
  if (!document.hidden || "viewer" in data(page())) heartbeat()?.dispatchEvent(new Event(WAKE));
}

onSocket("connecting", ({ detail: { connection } }) => {
  // Only the first connection may rely on what the page contained when it was loaded.
  if (connection.attempt) connection.url = connection.url.replace(/[?&]shown=.*/, "");
  startTimeout();
});
onSocket("frame", () => {
  if (hasLiveSocket) return;
  stopPolling();
  [hasLiveSocket, pollMs] = [true, POLL_MS];
  showState("");
});
onSocket("close", ({ detail: { reason, code } }) => {
  hasLiveSocket = false;
  if (reason === "removed") return stopPolling();
  if (isFinal(code)) {
    stopPolling();
    return showState("closed");
  }
  startTimeout();
  if (!isPolling || !isServerReachable) showState("lost");
});

onSocket("send", (event) => {
  if (event.defaultPrevented) return;
  const { connection, message } = event.detail;
  if (connection.socket?.readyState === WebSocket.OPEN && !isPolling) {
    delete message.values.csrfmiddlewaretoken;
    return;
  }
  event.preventDefault();
  pendingCount += 1;
  const form = /** @type {HTMLFormElement} */ (event.target);
  queue = queue.then(() => send(form, event.detail));
});

// Send a message over HTTP. Listeners are notified as if the socket had taken it.
/** @param {HTMLFormElement} form @param {SocketMessage} detail */
async function send(form, detail) {
  reportSent(form, detail);
  const { values } = detail.message;
  const isPost = form.method === "post";
  try {
    // Do not fetch the page that the form leads to: a poll brings the result.
    if (isPost) await request(form.action, { method: "POST", body: parametersOf(values) });
    else await fetchFrame(values);
    [isServerReachable, pollMs] = [true, POLL_MS];
    if (!hasLiveSocket) showState("polling");
  } catch {
    isServerReachable = false;
    if (!hasLiveSocket) onFailure(form);
  }
  pendingCount -= 1;
  if (isPost && !hasLiveSocket) poll();
}

/** @param {HTMLFormElement} form */
function onFailure(form) {
  showState("lost");
  form.dispatchEvent(new Event(UNSENT, { bubbles: true }));
}

/** @param {Values} values */
const parametersOf = (values) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** @param {Values} values */
async function fetchFrame(values) {
  const address = new URL(getById("seen").action);
  for (const [name, value] of parametersOf(values)) address.searchParams.set(name, value);
  const response = await request(address, { headers: { "If-None-Match": etag } });
  if (response.status === NOT_MODIFIED) return;
  if (response.type === "opaqueredirect") return location.reload(); // the viewer no longer has access to the page
  const text = await response.text();
  if (hasLiveSocket) return; // the socket has delivered a newer frame
  etag = response.headers.get("ETag") ?? "";
  await htmx.swap({ sourceElement: page(), target: page(), swap: "none swapEmpty:false", text });
}

// Return the response. Throws if the request has to be repeated, and polls less often from then on.
/** @param {string | URL} address @param {RequestInit} options */
async function request(address, options) {
  const headers = { "HX-Request": "true", ...options.headers };
  const response = await fetch(address, { ...options, headers, redirect: "manual", cache: "no-store" });
  const { status } = response;
  const redirect = response.headers.get("HX-Redirect");
  if (redirect) location.assign(redirect);
  else if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR) {
    const seconds = Number(response.headers.get("Retry-After"));
    pollMs = Math.min(Math.max(2 * pollMs, 1000 * seconds), MAX_POLL_MS);
    if (isPolling) schedule();
    throw new Error(`HTTP ${status}`);
  } else if (status >= 400) location.reload(); // the reloaded page gives the reason
  return response;
}
