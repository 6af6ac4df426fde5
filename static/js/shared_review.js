// A shared review: a follower's page goes to the leader's step, and the leader's page publishes its own step and
// whether the analysis was requested there.

import { isAnalysisRequested, showRequested } from "./review_analysis.js";
import { goTo } from "./review_leaf.js";
import { isLive } from "./transport.js";

const MIN_INTERVAL_MS = 250; // shortest time between two published steps
const RETRY_MS = 2000; // time after which a step that was not shown is requested again
let followedLeader = ""; // the key of the leader
let publishedState = ""; // what this page published last as the leader
let publishTimer = 0;
let publishedAt = 0;
let requestedStep = ""; // the leader's step that was requested last
let requestedAt = 0;

const element = (id) => document.getElementById(id);
// Return the step of this page or of the leader, with its perspective.
const stepOf = ({ at, as }) => `${at} ${as}`;
const ownStep = () => stepOf(element("review").dataset);
const ownState = () => `${ownStep()} ${isAnalysisRequested()}`;

function follow(key) {
  followedLeader = key;
  document.documentElement.toggleAttribute("data-follows", Boolean(key));
}

// Go to the leader's step; scroll position and focus stay as they are.
function goToLeader() {
  const leader = element("shared-review").dataset;
  const now = performance.now();
  if (followedLeader && stepOf(leader) === ownStep() && "asked" in leader && !isAnalysisRequested()) showRequested();
  if (
    !followedLeader ||
    stepOf(leader) === ownStep() ||
    (stepOf(leader) === requestedStep && now < requestedAt + RETRY_MS)
  )
    return;
  [requestedStep, requestedAt] = [stepOf(leader), now];
  goTo(Number(leader.at), leader.as);
}

function schedulePublish() {
  clearTimeout(publishTimer);
  publishTimer = setTimeout(
    () => {
      publishedAt = performance.now();
      element("lead").requestSubmit();
    },
    publishedAt + MIN_INTERVAL_MS - performance.now(),
  );
}

document.addEventListener("htmx:after:swap", () => {
  if (!element("shared-review")) return; // the match is still running: it is shared only after its end
  const { leader, leads } = element("shared-review").dataset;
  if (leader !== followedLeader) follow("");
  goToLeader();
  if (leads === undefined) clearTimeout(publishTimer);
  else if (publishedState !== ownState()) schedulePublish();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-follow]")) {
    requestedStep = "";
    follow(followedLeader ? "" : element("shared-review").dataset.leader);
    goToLeader();
  }
});

// A follower who steps on their own stops following.
document.addEventListener("review:own-step", () => follow(""));

document.addEventListener(
  "submit",
  ({ target }) => {
    if (target.id === "review-form") follow("");
    if (target.id !== "lead") return;
    const { at, as } = element("review").dataset;
    target.elements.at.value = at;
    target.elements.as.value = as;
    target.elements.asked.value = isAnalysisRequested() ? "on" : "";
    publishedState = ownState();
  },
  true,
);

window.addEventListener("popstate", () => follow(""));

// The first chat line opens the chat; a refused line returns to its field.
let hasOpened = false;
let pendingChat = "";
document.addEventListener("htmx:ws:after:message:outgoing", ({ target }) => {
  if (target.id !== "review-say") return;
  pendingChat = element("review-text").value;
  element("review-text").value = "";
  element("notice").replaceChildren();
});
document.addEventListener("htmx:after:swap", () => {
  const field = element("review-text");
  if (pendingChat && field && !field.value && element("notice")?.textContent) field.value = pendingChat;
  if (field?.value) pendingChat = "";
  if (hasOpened || !element("review-messages")?.childElementCount) return;
  hasOpened = element("review-messages").closest("details").open = true;
});

// Without a socket the people present are unknown and nobody leads. What polls have brought since then stays.
function clearPresence({ detail }) {
  const review = element("shared-review");
  if (detail.reason === "removed" || !review || !isLive()) return;
  review.replaceChildren();
  delete review.dataset.leads;
}
document.addEventListener("htmx:ws:close", clearPresence, { capture: true }); // before it stops counting as live

// A page that becomes visible or online asks at once for what it missed.
const refresh = () => document.hidden || element("seen")?.dispatchEvent(new Event("wake"));
document.addEventListener("visibilitychange", refresh);
window.addEventListener("online", refresh);
