// @ts-check
// Shows the board when a link of the report leads to a step while the board is out of sight, and leads back from there.

import { closest, findById, getById, query } from "./dom.js";

/** @type {Element | null} the link that was followed */
let followedLink = null;

/** @param {Element} link */
export function showBoard(link) {
  const { top, bottom } = getById("lens").getBoundingClientRect();
  if (!closest(link, "#report") || (top >= 0 && bottom <= innerHeight)) return;
  followedLink = link;
  getById("to-report").hidden = false;
  query("#review .table")?.scrollIntoView();
}

document.addEventListener("click", (event) => {
  const back = findById("to-report");
  if (!back || closest(event.target, "a") !== back) return;
  event.preventDefault();
  back.hidden = true;
  const link = /** @type {HTMLElement} */ (followedLink?.isConnected ? followedLink : getById("report"));
  link.scrollIntoView({ block: "center" });
  link.focus({ preventScroll: true });
});
