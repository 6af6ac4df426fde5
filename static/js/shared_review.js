// A shared review: the page of a follower goes to the leader's step, the leader's page publishes its own, and whether
// the bot was asked there.

import { isAsked, showAsked } from "./review_analysis.js";
import { goTo } from "./review_leaf.js";
import { isLive } from "./transport.js";

const SPARE = 250; // least milliseconds between two published steps
const AGAIN = 2000; // milliseconds after which a step that did not come is requested again
let followed = ""; // the key of the leader
let told = ""; // what was published last as the leader
let telling = 0;
let toldAt = 0;
let asked = ""; // the step of the leader that was requested last
let askedAt = 0;

const element = (id) => document.getElementById(id);
// Return the step of this page or of the leader, with its perspective.
const step = ({ at, as }) => `${at} ${as}`;
const own = () => step(element("review").dataset);
const published = () => `${own()} ${isAsked()}`;

function follow(key) {
  followed = key;
  document.documentElement.toggleAttribute("data-follows", Boolean(key));
}

// Go to the leader's step; scroll position and focus stay as they are.
function goAlong() {
  const leader = element("shared-review").dataset;
  const now = performance.now();
  if (followed && step(leader) === own() && "asked" in leader && !isAsked()) showAsked();
  if (!followed || step(leader) === own() || (step(leader) === asked && now < askedAt + AGAIN)) return;
  [asked, askedAt] = [step(leader), now];
  goTo(Number(leader.at), leader.as);
}

function tellStep() {
  clearTimeout(telling);
  telling = setTimeout(
    () => {
      toldAt = performance.now();
      element("lead").requestSubmit();
    },
    toldAt + SPARE - performance.now(),
  );
}

document.addEventListener("htmx:after:swap", () => {
  if (!element("shared-review")) return; // the match is still running: it is not shared before its end
  const { leader, leads } = element("shared-review").dataset;
  if (leader !== followed) follow("");
  goAlong();
  if (leads === undefined) clearTimeout(telling);
  else if (told !== published()) tellStep();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-follow]")) {
    asked = "";
    follow(followed ? "" : element("shared-review").dataset.leader);
    goAlong();
  }
});

// A follower who steps alone stops following.
document.addEventListener("review:own-step", () => follow(""));

document.addEventListener(
  "submit",
  ({ target }) => {
    if (target.id === "review-form") follow("");
    if (target.id !== "lead") return;
    const { at, as } = element("review").dataset;
    target.elements.at.value = at;
    target.elements.as.value = as;
    target.elements.asked.value = isAsked() ? "on" : "";
    told = published();
  },
  true,
);

window.addEventListener("popstate", () => follow(""));

// The first line opens the chat; one that was refused comes back into its field.
let opened = false;
let said = "";
document.addEventListener("htmx:ws:after:message:outgoing", ({ target }) => {
  if (target.id !== "review-say") return;
  said = element("review-text").value;
  element("review-text").value = "";
  element("notice").replaceChildren();
});
document.addEventListener("htmx:after:swap", () => {
  const field = element("review-text");
  if (said && field && !field.value && element("notice")?.textContent) field.value = said;
  if (field?.value) said = "";
  if (opened || !element("review-messages")?.childElementCount) return;
  opened = element("review-messages").closest("details").open = true;
});

// Who is there is no longer known, and nobody leads without a socket. What polls have brought since then stays.
function leave({ detail }) {
  const review = element("shared-review");
  if (detail.reason === "removed" || !review || !isLive()) return;
  review.replaceChildren();
  delete review.dataset.leads;
}
document.addEventListener("htmx:ws:close", leave, { capture: true }); // while it still counts as live

// A page that wakes up asks at once for what it missed.
const ask = () => document.hidden || element("seen")?.dispatchEvent(new Event("wake"));
document.addEventListener("visibilitychange", ask);
window.addEventListener("online", ask);
