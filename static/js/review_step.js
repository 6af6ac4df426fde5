// Shows a step of a match in review: the parts that differ are swapped, and what names the step follows it.

import { review } from "./review_rounds.js";
import { writeText } from "./text.js";

const AT = /\b(at|step)=\d+/;
let shown = {}; // the parts of the page as they stand, where they came with a step

const element = (id) => document.getElementById(id);
const partial = ([id, html]) => `<hx-partial id="${id}" hx-swap="${manner(id)}">${html}</hx-partial>`;
// The analysis may be asking for its progress: it is not turned into that of another step.
const manner = (id) => (id === "analysis" ? "outerHTML" : "outerMorph");

// The page was swapped by others, or a part of it.
export function forgetShown(id) {
  if (id) delete shown[id];
  else shown = {};
}

export function showStep(round, at) {
  const parts = round.frames[at - round.first];
  const { dataset } = review();
  Object.assign(dataset, { at, last: round.last });
  const changed = Object.entries(parts).filter(([id, html]) => shown[id] !== html);
  shown = { ...shown, ...parts };
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
  const here = element("plot-here");
  if (here) {
    const { from, width } = here.dataset;
    here.setAttribute("transform", `translate(${Number(from) + (width * (at - 1)) / Math.max(1, last - 1)} 0)`);
  }
  for (const [name, to] of Object.entries(ways(at, last, rounds))) leadTo(element(`review-${name}`), to);
  for (const named of document.querySelectorAll("#review [data-of-step], #share input")) {
    const part = named.matches("input") ? "value" : "href";
    named[part] = named[part].replace(AT, `$1=${at}`);
  }
}

// Return where the buttons lead, 0 for those that lead nowhere.
function ways(at, last, rounds) {
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

function leadTo(way, to) {
  way.toggleAttribute("href", Boolean(to));
  if (to) way.href = `?${new URLSearchParams({ at: to, as: review().dataset.as })}`;
  for (const [name, value] of Object.entries({ "aria-disabled": "true", role: "link", tabindex: "0" })) {
    if (to) way.removeAttribute(name);
    else way.setAttribute(name, value);
  }
}

// Mark the links that lead to this step in the lists, and let the list of steps scroll so that its own is visible.
function markStep(at) {
  for (const link of document.querySelectorAll('#review a[aria-current="step"]')) link.removeAttribute("aria-current");
  for (const link of document.querySelectorAll('#review li a[href^="?at="]')) {
    const to = Number(new URLSearchParams(link.search).get("at"));
    if (at <= to && at >= Number(link.dataset.from ?? to)) link.setAttribute("aria-current", "step");
  }
  requestAnimationFrame(scrollToStep); // nothing has to be laid out once more for it then
}

export function scrollToStep() {
  const list = element("review-steps");
  const line = list?.querySelector("[aria-current]");
  if (!line) return;
  const [seen, at] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
  if (at.top < seen.top || at.bottom > seen.bottom)
    list.scrollTop += at.top - (seen.top + seen.bottom - at.height) / 2;
}
