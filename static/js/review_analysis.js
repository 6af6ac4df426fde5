// The bot's analysis replaces the button that requested it: it is scrolled into view, the focus moves to its title,
// and it is announced. When readers return to a step they see the analysis that they, or the leader they follow,
// requested there.

import { review } from "./review_rounds.js";

const requestedSteps = new Set();
let wasButtonFocused = false;

const section = () => document.getElementById("analysis");
const currentStep = () => review().dataset.at;
const isRequest = ({ detail }) => detail.ctx?.sourceElement?.id === "ask";

export const isAnalysisRequested = () => requestedSteps.has(currentStep());

// Show the analysis of the current step, because the leader requested it.
export function showRequested() {
  requestedSteps.add(currentStep());
  if (document.getElementById("ask-analysis")) loadAnalysis();
}

document.addEventListener("htmx:before:request", (event) => {
  if (!isRequest(event)) return;
  requestedSteps.add(currentStep());
  event.detail.ctx.requestedStep = currentStep();
});

document.addEventListener("htmx:before:swap", (event) => {
  wasButtonFocused = document.activeElement?.id === "ask-analysis";
  // The reader has moved on: show the analysis when they return.
  if (isRequest(event) && event.detail.ctx.requestedStep !== currentStep()) event.preventDefault();
});

document.addEventListener("htmx:after:swap", (event) => {
  if (!section()) return;
  announce(section().querySelector("[data-said]")?.dataset.said ?? "");
  if (wasButtonFocused && document.activeElement === document.body)
    document.getElementById("analysis-title").focus({ preventScroll: true });
  if (event.detail.ctx.request && section().contains(event.target) && requestedSteps.has(currentStep()))
    section().scrollIntoView({ block: "nearest" });
  else if (requestedSteps.has(currentStep()) && document.getElementById("ask-analysis")) loadAnalysis();
});

function announce(text) {
  const status = document.getElementById("analysis-said");
  if (status.textContent !== text) status.textContent = text;
}

// The analysis is cached by now.
function loadAnalysis() {
  const query = new URLSearchParams({ at: currentStep(), as: review().dataset.as });
  const [target, select] = ["#analysis", "#analysis"];
  htmx.ajax("GET", `${document.getElementById("ask").action}?${query}`, {
    source: "#analysis",
    target,
    select,
    swap: "outerHTML",
  });
}
