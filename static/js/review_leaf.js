// @ts-check
// Moves through a match in review. Requests for steps add up from the step that the reader is heading for, and the
// page follows once that step is loaded. The address changes only when the reader rests, so a whole review is one
// history entry.

import { data, findById, getById, OWN_STEP } from "./dom.js";
import { fetchNeighbours, fetchRound, review, roundOf } from "./review_rounds.js";
import { forgetParts, roundAfter, roundBefore, showStep } from "./review_step.js";
import { onFailure, onUpdate } from "./updates.js";

const ADDRESS_REST_MS = 250; // rest after which the address changes
const RECHECK_MS = 1500; // rest after which a running match is checked for new steps
/** @import { Round } from "./review_rounds.js" */
/** @type {number | null} the requested step, null once it is shown */
let requestedStep = null;
let drawTimer = 0;
let fetchTimer = 0;
let addressTimer = 0;
let recheckTimer = 0;

/** @param {"at" | "last"} name */
const stepData = (name) => Number(data(review())[name]);
const perspective = () => data(review()).as ?? "";
export const targetStep = () => requestedStep ?? stepData("at");

// Go to a step, limited to those that exist. It is fetched after `pause` milliseconds without another request.
/** @param {number} to @param {number} [pause] */
export function go(to, pause = 0) {
  requestedStep = Math.min(Math.max(to, 1), stepData("last"));
  clearTimeout(fetchTimer);
  if (!roundOf(requestedStep, perspective())) fetchTimer = setTimeout(fetchRequested, pause);
  else if (!drawTimer) drawTimer = document.hidden ? setTimeout(draw) : requestAnimationFrame(draw);
}

// Go to a step on the reader's behalf: playback stops, and so does following a leader.
/** @param {number} to @param {number} [pause] */
export function goAsReader(to, pause) {
  takeOver();
  go(to, pause);
}

export const takeOver = () => document.dispatchEvent(new Event(OWN_STEP));

function draw() {
  drawTimer = 0;
  const at = requestedStep;
  const round = at && roundOf(at, perspective());
  if (!round) return;
  requestedStep = null;
  showState("");
  showStep(round, at);
  onRest(round);
}

async function fetchRequested() {
  if (requestedStep === null) return;
  const [at, view] = [requestedStep, perspective()];
  try {
    await fetchRound(at, view);
  } catch {
    if (requestedStep === at) showFailure();
  }
  if (requestedStep !== null && roundOf(requestedStep, perspective())) draw();
}

// The board stays as it was, and the next request counts from there.
function showFailure() {
  requestedStep = null;
  getById("review-slider").value = String(stepData("at"));
  const { lost = "", offline = "" } = data(getById("review-state"));
  showState(navigator.onLine ? lost : offline);
}

/** @param {string} text */
function showState(text) {
  const state = getById("review-state");
  if (state.textContent !== text) state.textContent = text;
  state.hidden = !text;
}

/** @param {Round} round */
function onRest(round) {
  clearTimeout(addressTimer);
  clearTimeout(recheckTimer);
  addressTimer = setTimeout(() => {
    const address = `?${new URLSearchParams({ at: String(stepData("at")), as: perspective() })}`;
    history.replaceState(history.state ?? { htmx: true }, "", address);
    fetchNeighbours(round);
  }, ADDRESS_REST_MS);
  if (round.running) recheckTimer = setTimeout(recheck, RECHECK_MS);
  // the match has ended: the page offers more
  else if ("running" in data(review())) swapPage(stepData("at"), perspective());
}

// Check whether a running match has new steps.
async function recheck() {
  const round = await fetchRound(stepData("at"), perspective()).catch(() => null);
  if (!round || requestedStep !== null || round.perspective !== perspective()) return;
  if (round.running) showStep(round, stepData("at"));
  else onRest(round);
}

// Return the step one turn around the table away: where the seat whose perspective is shown, or else the seat that
// acted last, ended its turn; without such a step in this round, its first step or the next round.
/** @param {number} direction */
export function stepOfTurn(direction) {
  const at = targetStep();
  const round = roundOf(at, perspective());
  if (!round) return at + direction;
  const { actingSeats, first, roundStarts, last } = round;
  const seat = /^\d+$/.test(perspective()) ? Number(perspective()) : actingSeats[at - first];
  const turnEnds = [...actingSeats.keys()].filter(
    (place) => actingSeats[place] === seat && actingSeats[place + 1] !== seat && seat !== null,
  );
  const steps = turnEnds.map((place) => first + place);
  if (direction > 0) return steps.find((step) => step > at) ?? (roundAfter(at, roundStarts) || last);
  return steps.findLast((step) => step < at) ?? (roundBefore(at, roundStarts) || 1);
}

/** @param {number} direction */
export const stepOfRound = (direction) => {
  const roundStarts = roundOf(targetStep(), perspective())?.roundStarts ?? [];
  return (direction > 0 ? roundAfter : roundBefore)(targetStep(), roundStarts) || targetStep();
};

// Go to a step as seen from a perspective. Another perspective is loaded as a page, which keeps scroll position and
// focus.
/** @param {number} at @param {string} view */
export function goTo(at, view) {
  if (view === perspective()) go(at);
  else swapPage(at, view);
}

/** @param {number} at @param {string} view */
function swapPage(at, view) {
  const address = `?${new URLSearchParams({ at: String(at), as: view })}`;
  const swap = { source: "#review", target: "#review", select: "#review", swap: "outerMorph", replace: "true" };
  htmx.ajax("GET", address, swap);
}

// A page that cannot be loaded leaves the review as it is, too.
onFailure((source) => source !== null && Boolean(findById("review")?.contains(source)), restore);

function restore() {
  const select = findById("review-perspective");
  if (select) select.value = perspective();
  showFailure();
}

onUpdate(({ request, target }) => {
  const review = findById("review");
  if (!request || !review) return;
  if (target === review || target === document.body) init();
  else forgetParts("analysis");
});

// Load the round of the current step and its neighbours.
async function init() {
  forgetParts();
  requestedStep = null;
  showState("");
  const round = await fetchRound(stepData("at"), perspective()).catch(() => null);
  if (round?.perspective === perspective()) onRest(round);
}

init();
