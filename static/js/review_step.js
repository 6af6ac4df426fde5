// @ts-check
// Shows a step of a match in review: swaps the parts that differ and updates everything that names the step.

import { data, findById, getById, query, queryAll } from "./dom.js";
import { review } from "./review_rounds.js";
import { writeText } from "./text.js";

/** @import { Round } from "./review_rounds.js" */
/** @typedef {"first" | "round-before" | "before" | "after" | "round-after" | "last"} Way */

const AT = /\b(at|step)=\d+/;
/** @type {Record<string, string>} the parts of the page that came with a step, as shown now */
let shownParts = {};

/** @param {[string, string]} part */
const partial = ([id, html]) => `<hx-partial id="${id}" hx-swap="${swapOf(id)}">${html}</hx-partial>`;
// The analysis may be polling for its progress: it must not be morphed into that of another step.
/** @param {string} id */
const swapOf = (id) => (id === "analysis" ? "outerHTML" : "outerMorph");

// Forget the parts, or one of them, after another swap of the page.
/** @param {string} [id] */
export function forgetParts(id) {
  if (id) delete shownParts[id];
  else shownParts = {};
}

/** @param {Round} round @param {number} at */
export function showStep(round, at) {
  const parts = round.frames[at - round.first];
  Object.assign(data(review()), { at: String(at), last: String(round.last) });
  const changed = Object.entries(parts).filter(([id, html]) => shownParts[id] !== html);
  shownParts = { ...shownParts, ...parts };
  nameStep(at, round);
  htmx.swap({ sourceElement: review(), text: changed.map(partial).join(""), swap: "none" });
  markStep(at);
}

/** @param {number} at @param {Round} round */
function nameStep(at, { last, roundStarts }) {
  document.title = data(review()).title?.replace("{at}", String(at)) ?? "";
  const slider = getById("review-slider");
  slider.max = String(last);
  slider.value = String(at);
  const number = query(".review-at > [translate]");
  if (number) writeText(number, `${at} / ${last}`);
  for (const marker of queryAll("#review .plot-here")) {
    const { from, width } = data(marker);
    const x = Number(from) + (Number(width) * (at - 1)) / Math.max(1, last - 1);
    marker.setAttribute("transform", `translate(${x} 0)`);
  }
  for (const [name, to] of buttonSteps(at, last, roundStarts)) setTarget(getById(`review-${name}`), to);
  for (const link of /** @type {HTMLAnchorElement[]} */ (queryAll("#review [data-of-step]")))
    link.href = link.href.replace(AT, `$1=${at}`);
  for (const input of /** @type {HTMLInputElement[]} */ (queryAll("#share input")))
    input.value = input.value.replace(AT, `$1=${at}`);
}

// Return the steps that the buttons lead to, 0 for a disabled button.
/** @param {number} at @param {number} last @param {number[]} roundStarts @returns {[Way, number][]} */
function buttonSteps(at, last, roundStarts) {
  return [
    ["first", at > 1 ? 1 : 0],
    ["round-before", roundBefore(at, roundStarts)],
    ["before", at - 1],
    ["after", at < last ? at + 1 : 0],
    ["round-after", roundAfter(at, roundStarts)],
    ["last", at < last ? last : 0],
  ];
}

/** @param {number} at @param {number[]} roundStarts */
export const roundBefore = (at, roundStarts) => roundStarts.findLast((start) => start < at) ?? 0;
/** @param {number} at @param {number[]} roundStarts */
export const roundAfter = (at, roundStarts) => roundStarts.find((start) => start > at) ?? 0;

/** @param {HTMLAnchorElement} link @param {number} to */
function setTarget(link, to) {
  link.toggleAttribute("href", Boolean(to));
  if (to) link.href = `?${new URLSearchParams({ at: String(to), as: data(review()).as ?? "" })}`;
  for (const [name, value] of Object.entries({ "aria-disabled": "true", role: "link", tabindex: "0" })) {
    if (to) link.removeAttribute(name);
    else link.setAttribute(name, value);
  }
}

// Mark the links that lead to this step, and scroll the list of steps to its own.
/** @param {number} at */
function markStep(at) {
  for (const link of queryAll('#review a[aria-current="step"]')) link.removeAttribute("aria-current");
  for (const link of /** @type {HTMLAnchorElement[]} */ (queryAll('#review li a[href^="?at="]'))) {
    const to = Number(new URLSearchParams(link.search).get("at"));
    if (at <= to && at >= Number(data(link).from ?? to)) link.setAttribute("aria-current", "step");
  }
  requestAnimationFrame(scrollToStep); // without another layout
}

export function scrollToStep() {
  const list = findById("review-steps");
  const line = list && query("[aria-current]", list);
  if (!list || !line) return;
  const [listBox, at] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
  if (at.top < listBox.top || at.bottom > listBox.bottom)
    list.scrollTop += at.top - (listBox.top + listBox.bottom - at.height) / 2;
}
