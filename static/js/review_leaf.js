// Leafing through a match in review. Whatever asks for a step adds to where the reader wants to be; the page follows as
// soon as the step is here. The address follows when the reader rests, so a whole review is one entry of the history.

import { fetchBeside, fetchRound, review, roundOf } from "./review_rounds.js";
import { forgetShown, roundAfter, roundBefore, showStep } from "./review_step.js";

const REST = 250; // milliseconds without a step after which the address follows
const LOOK_AGAIN = 1500; // milliseconds of rest after which a match that runs is looked at again
let wanted = null; // the step that was asked for and is not shown yet
let drawing = 0;
let waiting = 0;
let resting = 0;
let looking = 0;

const part = (name) => Number(review().dataset[name]);
const as = () => review().dataset.as;
export const here = () => wanted ?? part("at");

// Go to a step, as near as there is one. `pause`: so many milliseconds are waited for another wish before it is fetched.
export function go(to, pause = 0) {
  wanted = Math.min(Math.max(to, 1), part("last"));
  clearTimeout(waiting);
  if (!roundOf(wanted, as())) waiting = setTimeout(fetchWanted, pause);
  else if (!drawing) drawing = document.hidden ? setTimeout(draw) : requestAnimationFrame(draw);
}

// The reader goes to a step: what plays stops, and whoever followed somebody goes their own way.
export function step(to, pause) {
  takeOver();
  go(to, pause);
}

export const takeOver = () => document.dispatchEvent(new Event("review:own-step"));

function draw() {
  drawing = 0;
  const round = wanted && roundOf(wanted, as());
  if (!round) return;
  const at = wanted;
  wanted = null;
  tell("");
  showStep(round, at);
  rest(round);
}

async function fetchWanted() {
  if (wanted === null) return;
  const [at, seen] = [wanted, as()];
  try {
    await fetchRound(at, seen);
  } catch {
    if (wanted === at) cannotBeHad();
  }
  if (wanted !== null && roundOf(wanted, as())) draw();
}

// The board stands as it stood, and the next wish starts from there.
function cannotBeHad() {
  wanted = null;
  document.getElementById("review-slider").value = part("at");
  const { lost, offline } = document.getElementById("review-state").dataset;
  tell(navigator.onLine ? lost : offline);
}

function tell(text) {
  const state = document.getElementById("review-state");
  if (state.textContent !== text) state.textContent = text;
  state.hidden = !text;
}

function rest(round) {
  clearTimeout(resting);
  clearTimeout(looking);
  resting = setTimeout(() => {
    const address = `?${new URLSearchParams({ at: part("at"), as: as() })}`;
    history.replaceState(history.state ?? { htmx: true }, "", address);
    fetchBeside(round);
  }, REST);
  if (round.running) looking = setTimeout(lookAgain, LOOK_AGAIN);
  else if ("running" in review().dataset) swapPage(part("at"), as()); // it is over: the page offers more
}

// Look whether a match that runs has gone on.
async function lookAgain() {
  const round = await fetchRound(part("at"), as()).catch(() => null);
  if (!round || wanted !== null || round.as !== as()) return;
  if (round.running) showStep(round, part("at"));
  else rest(round);
}

// Return the step one turn round the table away: where the seat whose perspective is shown, or else the one that acted
// last, has ended its turn; without such a step in this round, its first one or the next round.
export function turn(direction) {
  const at = here();
  const round = roundOf(at, as());
  if (!round) return at + direction;
  const { seats, first, rounds, last } = round;
  const own = /^\d+$/.test(as()) ? Number(as()) : seats[at - first];
  const ends = [...seats.keys()].filter((place) => seats[place] === own && seats[place + 1] !== own && own !== null);
  const steps = ends.map((place) => first + place);
  if (direction > 0) return steps.find((step) => step > at) ?? (roundAfter(at, rounds) || last);
  return steps.findLast((step) => step < at) ?? (roundBefore(at, rounds) || 1);
}

export const byRound = (direction) => {
  const rounds = roundOf(here(), as())?.rounds ?? [];
  return (direction > 0 ? roundAfter : roundBefore)(here(), rounds) || here();
};

// Go to a step as seen from a perspective. Another one comes as a page of its own, scroll position and focus kept.
export function goTo(at, seen) {
  if (seen === as()) go(at);
  else swapPage(at, seen);
}

function swapPage(at, seen) {
  const address = `?${new URLSearchParams({ at, as: seen })}`;
  const swap = { source: "#review", target: "#review", select: "#review", swap: "outerMorph", replace: "true" };
  htmx.ajax("GET", address, swap);
}

// What htmx fetches for the page and cannot be had leaves the page as it is, too.
const isOurs = ({ target, detail }) => review()?.contains(target) && detail.ctx?.request;
document.addEventListener("htmx:before:swap", (event) => {
  if (!isOurs(event) || !(event.detail.ctx.response?.status >= 400)) return;
  event.preventDefault();
  refused();
});
document.addEventListener("htmx:error", (event) => {
  if (isOurs(event)) refused();
});

function refused() {
  const perspective = document.getElementById("review-perspective");
  if (perspective) perspective.value = as();
  cannotBeHad();
}

document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (!detail.ctx?.request || !review()) return;
  if (detail.ctx.target === review() || detail.ctx.target === document.body) begin();
  else forgetShown("analysis");
});

// Fetch the round of the step that the page shows, and those beside it.
async function begin() {
  forgetShown();
  wanted = null;
  tell("");
  const round = await fetchRound(part("at"), as()).catch(() => null);
  if (round?.as === as()) rest(round);
}

begin();
