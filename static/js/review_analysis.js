// @ts-check
// The bot's analysis replaces the button that requested it: it is scrolled into view, the focus moves to its title,
// and it is announced. When readers return to a step they see the analysis that they, or the leader they follow,
// requested there.

import { data, findById, getById, query } from "./dom.js";
import { review } from "./review_rounds.js";
import { beforeRequest, beforeUpdate, onUpdate } from "./updates.js";

/** @type {Set<string | undefined>} */
const requestedSteps = new Set();
let wasButtonFocused = false;

const section = () => findById("analysis");
const currentStep = () => data(review()).at;
/** @param {Element | null} source */
const isRequest = (source) => source?.id === "ask";
/** @type {WeakMap<object, string | undefined>} steps of the requests for an analysis */
const stepsOfRequests = new WeakMap();

export const isAnalysisRequested = () => requestedSteps.has(currentStep());

// Show the analysis of the current step, because the leader requested it.
export function showRequested() {
  requestedSteps.add(currentStep());
  loadAnalysis();
}

beforeRequest((source, request) => {
  if (!isRequest(source)) return;
  requestedSteps.add(currentStep());
  stepsOfRequests.set(request, currentStep());
});

beforeUpdate(({ source, request }) => {
  wasButtonFocused = document.activeElement?.id === "ask-analysis";
  // The reader has moved on: show the analysis when they return.
  return !isRequest(source) || !request || stepsOfRequests.get(request) === currentStep();
});

onUpdate(({ source, request }) => {
  const analysis = section();
  if (!analysis) return;
  const sentence = query("[data-announcement]", analysis);
  announce((sentence && data(sentence).announcement) ?? "");
  if (wasButtonFocused && document.activeElement === document.body)
    getById("analysis-title").focus({ preventScroll: true });
  if (request && analysis.contains(source) && requestedSteps.has(currentStep()))
    analysis.scrollIntoView({ block: "nearest" });
  else if (requestedSteps.has(currentStep())) loadAnalysis();
});

/** @param {string} text */
function announce(text) {
  const status = getById("analysis-said");
  if (status.textContent !== text) status.textContent = text;
}

// Load the analysis, if the page does not show it yet. The server has cached it by now.
function loadAnalysis() {
  const form = findById("ask-analysis")?.form;
  if (!form) return;
  const { at = "", as = "" } = data(review());
  const [target, select] = ["#analysis", "#analysis"];
  htmx.ajax("GET", `${form.action}?${new URLSearchParams({ at, as })}`, {
    source: "#analysis",
    target,
    select,
    swap: "outerHTML",
  });
}
