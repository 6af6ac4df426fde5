// The bot's analysis replaces the button that asked for it: it comes into sight, the focus moves to its title, and it is
// announced. Whoever comes back to a step sees again what they asked for there, or the leader whom they follow.

import { review } from "./review_rounds.js";

const asked = new Set();
let pressed = false;

const section = () => document.getElementById("analysis");
const at = () => review().dataset.at;
const isAsking = ({ detail }) => detail.ctx?.sourceElement?.id === "ask";

export const isAsked = () => asked.has(at());

// The leader has asked for the analysis of the step that is shown.
export function showAsked() {
  asked.add(at());
  if (document.getElementById("ask-analysis")) askAgain();
}

document.addEventListener("htmx:before:request", (event) => {
  if (!isAsking(event)) return;
  asked.add(at());
  event.detail.ctx.askedAt = at();
});

document.addEventListener("htmx:before:swap", (event) => {
  pressed = document.activeElement?.id === "ask-analysis";
  // The reader has gone on: it waits until they are back.
  if (isAsking(event) && event.detail.ctx.askedAt !== at()) event.preventDefault();
});

document.addEventListener("htmx:after:swap", (event) => {
  if (!section()) return;
  tell(section().querySelector("[data-said]")?.dataset.said ?? "");
  if (pressed && document.activeElement === document.body)
    document.getElementById("analysis-title").focus({ preventScroll: true });
  if (event.detail.ctx.request && section().contains(event.target) && asked.has(at()))
    section().scrollIntoView({ block: "nearest" });
  else if (asked.has(at()) && document.getElementById("ask-analysis")) askAgain();
});

function tell(text) {
  const told = document.getElementById("analysis-said");
  if (told.textContent !== text) told.textContent = text;
}

// What was asked before is there already.
function askAgain() {
  const query = new URLSearchParams({ at: at(), as: review().dataset.as });
  const [target, select] = ["#analysis", "#analysis"];
  htmx.ajax("GET", `${document.getElementById("ask").action}?${query}`, {
    source: "#analysis",
    target,
    select,
    swap: "outerHTML",
  });
}
