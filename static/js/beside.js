// @ts-check
// The lists next to the table. A frame brings only their newest lines; a page that missed some reloads the list.

import { data, getById, queryAll } from "./dom.js";
import { onZone } from "./updates.js";

// Id of the newest lines in a frame: id of the list they belong to.
const LISTS = /** @type {const} */ ({ moves: "move-list", scores: "score-lines" });

/** @param {Element | null} line */
const numberOf = (line) => Number(line instanceof HTMLElement ? data(line).number : 0);

/** @param {Element} list */
const scrollToEnd = (list) => {
  list.scrollTop = list.scrollHeight;
};

/** @param {HTMLElement} list */
async function reload(list) {
  const response = await fetch(location.pathname);
  if (!response.ok) return; // the next frame tries again
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const complete = page.getElementById(list.id) ?? list;
  list.replaceWith(complete);
  scrollToEnd(complete);
}

/** @param {keyof typeof LISTS} id */
function extend(id) {
  const newest = getById(id);
  const list = getById(LISTS[id]);
  const { of } = data(newest);
  if (of !== data(list).of) {
    data(list).of = of;
    list.replaceChildren();
  }
  extendHead(newest, list);
  const lastNumber = numberOf(list.lastElementChild);
  const lines = queryAll("[data-number]", newest).filter((line) => numberOf(line) > lastNumber);
  if (!lines.length) return;
  if (numberOf(lines[0]) > lastNumber + 1) return void reload(list);
  list.append(...lines.map((line) => line.cloneNode(true)));
  scrollToEnd(list);
}

/** @param {HTMLElement} newest @param {HTMLElement} list */
function extendHead(newest, list) {
  if (!(newest instanceof HTMLTableElement) || !newest.tHead) return;
  const table = /** @type {HTMLTableElement} */ (list.parentElement);
  table.tHead?.replaceWith(newest.tHead.cloneNode(true));
}

onZone("moves", () => extend("moves"));
onZone("scores", () => extend("scores"));
for (const list of queryAll(".move-list")) scrollToEnd(list);
