// Shows a step of a match in review: swaps the parts that differ and updates everything that names the step.

import { review } from "./review_rounds.js";
import { writeText } from "./text.js";

const AT = /\b(at|step)=\d+/;
let shownParts = {}; // the parts of the page that came with a step, as shown now

const element = (id) => document.getElementById(id);
const partial = ([id, html]) => `<hx-partial id="${id}" hx-swap="${swapOf(id)}">${html}</hx-partial>`;
// The analysis may be polling for its progress: it must not be morphed into that of another step.
const swapOf = (id) => (id === "analysis" ? "outerHTML" : "outerMorph");

// Forget the parts, or one of them, after another swap of the page.
export function forgetParts(id) {
  if (id) delete shownParts[id];
  else shownParts = {};
}

export function showStep(round, at) {
  const parts = round.frames[at - round.first];
  const { dataset } = review();
  Object.assign(dataset, { at, last: round.last });
  const changed = Object.entries(parts).filter(([id, html]) => shownParts[id] !== html);
  shownParts = { ...shownParts, ...parts };
  nameStep(at, round);
  htmx.swap({ sourceElement: review(), text: changed.map(partial).join(""), swap: "none" });
  markStep(at);
}

function nameStep(at, { last, rounds }) {
  document.title = review().dataset.title.replace("{at}", at);
  const slider = element("review-slider");
  slider.max = last;
  slider.value = at;
  writeText(document.querySelector(".review-at > [translate]"), `${at} / ${last}`);
  const marker = element("plot-here");
  if (marker) {
    const { from, width } = marker.dataset;
    marker.setAttribute("transform", `translate(${Number(from) + (width * (at - 1)) / Math.max(1, last - 1)} 0)`);
  }
  for (const [name, to] of Object.entries(buttonSteps(at, last, rounds))) setTarget(element(`review-${name}`), to);
  for (const link of document.querySelectorAll("#review [data-of-step], #share input")) {
    const attribute = link.matches("input") ? "value" : "href";
    link[attribute] = link[attribute].replace(AT, `$1=${at}`);
  }
}

// Return the steps that the buttons lead to, 0 for a disabled button.
function buttonSteps(at, last, rounds) {
  return {
    first: at > 1 ? 1 : 0,
    "round-before": roundBefore(at, rounds),
    before: at - 1,
    after: at < last ? at + 1 : 0,
    "round-after": roundAfter(at, rounds),
    last: at < last ? last : 0,
  };
}

export const roundBefore = (at, rounds) => rounds.findLast((start) => start < at) ?? 0;
export const roundAfter = (at, rounds) => rounds.find((start) => start > at) ?? 0;

function setTarget(link, to) {
  link.toggleAttribute("href", Boolean(to));
  if (to) link.href = `?${new URLSearchParams({ at: to, as: review().dataset.as })}`;
  for (const [name, value] of Object.entries({ "aria-disabled": "true", role: "link", tabindex: "0" })) {
    if (to) link.removeAttribute(name);
    else link.setAttribute(name, value);
  }
}

// Mark the links that lead to this step, and scroll the list of steps to its own.
function markStep(at) {
  for (const link of document.querySelectorAll('#review a[aria-current="step"]')) link.removeAttribute("aria-current");
  for (const link of document.querySelectorAll('#review li a[href^="?at="]')) {
    const to = Number(new URLSearchParams(link.search).get("at"));
    if (at <= to && at >= Number(link.dataset.from ?? to)) link.setAttribute("aria-current", "step");
  }
  requestAnimationFrame(scrollToStep); // without another layout
}

export function scrollToStep() {
  const list = element("review-steps");
  const line = list?.querySelector("[aria-current]");
  if (!line) return;
  const [listBox, at] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
  if (at.top < listBox.top || at.bottom > listBox.bottom)
    list.scrollTop += at.top - (listBox.top + listBox.bottom - at.height) / 2;
}
