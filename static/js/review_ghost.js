// @ts-check
// Shows a move of the analysis on the board while its line is hovered or focused.

import { closest, findById, getById, query, queryAll } from "./dom.js";
import { onZone } from "./updates.js";

/** @param {EventTarget | null} target */
const lineOf = (target) => closest(target, "#analysis tr:has(template)");

/** @param {HTMLElement | null} line */
function showMove(line) {
  /** @type {HTMLTemplateElement | null} */
  const template = line && query("template", line);
  const layer = getById("ghost");
  layer.replaceChildren(...(template ? [template.content.cloneNode(true)] : []));
  // Take over the view boxes of the board: it may be fitted to the step.
  const viewBoxes = queryAll("#board svg").map((drawing) => drawing.getAttribute("viewBox") ?? "");
  for (const [place, drawing] of [...layer.children].entries()) drawing.setAttribute("viewBox", viewBoxes[place]);
}

for (const type of /** @type {const} */ (["pointerover", "focusin"]))
  document.addEventListener(type, ({ target }) => {
    if (lineOf(target)) showMove(lineOf(target));
  });
for (const type of /** @type {const} */ (["pointerout", "focusout"]))
  document.addEventListener(type, ({ target, relatedTarget }) => {
    const line = lineOf(target);
    if (line && !line.contains(/** @type {Node | null} */ (relatedTarget))) showMove(null);
  });

// The line may have been removed.
onZone("analysis", () => {
  if (findById("ghost")?.hasChildNodes() && !query("#analysis tr:has(template):is(:hover, :focus-within)"))
    showMove(null);
});
