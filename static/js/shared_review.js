// @ts-check
// A shared review: a follower's page goes to the leader's step, and the leader's page publishes its own step and
// whether the analysis was requested there.

import { closest, data, field, findById, getById, OWN_STEP, WAKE } from "./dom.js";
import { isAnalysisRequested, showRequested } from "./review_analysis.js";
import { goTo } from "./review_leaf.js";
import { onSocket } from "./socket.js";
import { isLive } from "./transport.js";
import { onUpdate } from "./updates.js";

const MIN_INTERVAL_MS = 250; // shortest time between two published steps
const RETRY_MS = 2000; // time after which a step that was not shown is requested again
let followedLeader = ""; // the key of the leader
let publishedState = ""; // what this page published last as the leader
let publishTimer = 0;
let publishedAt = 0;
let requestedStep = ""; // the leader's step that was requested last
let requestedAt = 0;

// Return the step of this page or of the leader, with its perspective.
/** @param {HTMLElement} element */
function stepOf(element) {
  const { at, as } = data(element);
  return `${at} ${as}`;
}
const ownStep = () => stepOf(getById("review"));
const ownState = () => `${ownStep()} ${isAnalysisRequested()}`;

/** @param {string} key */
function follow(key) {
  followedLeader = key;
  document.documentElement.toggleAttribute("data-follows", Boolean(key));
}

// Go to the leader's step; scroll position and focus stay as they are.
function goToLeader() {
  const leader = getById("shared-review");
  const step = stepOf(leader);
  const { at, as = "", asked } = data(leader);
  const now = performance.now();
  if (followedLeader && step === ownStep() && asked !== undefined && !isAnalysisRequested()) showRequested();
  if (!followedLeader || step === ownStep() || (step === requestedStep && now < requestedAt + RETRY_MS)) return;
  [requestedStep, requestedAt] = [step, now];
  goTo(Number(at), as);
}

function schedulePublish() {
  clearTimeout(publishTimer);
  publishTimer = setTimeout(
    () => {
      publishedAt = performance.now();
      getById("lead").requestSubmit();
    },
    publishedAt + MIN_INTERVAL_MS - performance.now(),
  );
}

onUpdate(() => {
  const review = findById("shared-review");
  if (!review) return; // the match is still running: it is shared only after its end
  const { leader, leads } = data(review);
  if (leader !== followedLeader) follow("");
  goToLeader();
  if (leads === undefined) clearTimeout(publishTimer);
  else if (publishedState !== ownState()) schedulePublish();
});

document.addEventListener("click", (event) => {
  if (closest(event.target, "[data-follow]")) {
    requestedStep = "";
    follow(followedLeader ? "" : (data(getById("shared-review")).leader ?? ""));
    goToLeader();
  }
});

// A follower who steps on their own stops following.
document.addEventListener(OWN_STEP, () => follow(""));

document.addEventListener(
  "submit",
  ({ target }) => {
    if (target === findById("review-form")) follow("");
    const form = findById("lead");
    if (!form || target !== form) return;
    const { at = "", as = "" } = data(getById("review"));
    field(form, "at").value = at;
    field(form, "as").value = as;
    field(form, "asked").value = isAnalysisRequested() ? "on" : "";
    publishedState = ownState();
  },
  true,
);

window.addEventListener("popstate", () => follow(""));

// The first chat line opens the chat; a refused line returns to its field.
let hasOpened = false;
let pendingChat = "";
onSocket("sent", ({ target }) => {
  if (target !== findById("review-say")) return;
  pendingChat = getById("review-text").value;
  getById("review-text").value = "";
  getById("notice").replaceChildren();
});
onUpdate(() => {
  const text = findById("review-text");
  if (pendingChat && text && !text.value && findById("notice")?.textContent) text.value = pendingChat;
  if (text?.value) pendingChat = "";
  const messages = findById("review-messages");
  const chat = messages?.closest("details");
  if (hasOpened || !chat || !messages?.childElementCount) return;
  hasOpened = chat.open = true;
});

// Without a socket nobody leads and the people present are unknown, so clear both. A page that already polls keeps them.
/** @param {CustomEvent<SocketClose>} event */
function clearPresence({ detail }) {
  const review = findById("shared-review");
  if (detail.reason === "removed" || !review || !isLive()) return;
  review.replaceChildren();
  delete data(review).leads;
}
onSocket("close", clearPresence, { first: true }); // before it stops counting as live

// A page that becomes visible or online asks at once for what it missed.
const refresh = () => document.hidden || findById("seen")?.dispatchEvent(new Event(WAKE));
document.addEventListener("visibilitychange", refresh);
window.addEventListener("online", refresh);
