// @ts-check
// Keeps the layout that fits the shape of the felt. The page brings the layouts for all three shapes and the style
// sheet shows the right one; this module removes the others and requests another one when the shape changes.

import { remember } from "./cookies.js";
import { field, getById, query, queryAll } from "./dom.js";
import { onResize } from "./fallbacks.js";
import { onSocket } from "./socket.js";
import { onUpdate } from "./updates.js";

const board = () => getById("board");
const form = getById("felt");
const connectionState = getById("connection-state");
let requestedShape = "";

// Measure all drawings before removing any: a removal makes the browser recalculate the styles of the table.
const hiddenDrawings = queryAll("#board > svg[class], #spots > svg[class]").filter(
  (drawing) => getComputedStyle(drawing).display === "none",
);
for (const drawing of hiddenDrawings) drawing.remove();

function update() {
  const shownShape = query(":scope > svg[class]", board())?.getAttribute("class");
  const feltShape = getComputedStyle(board()).getPropertyValue("--shape");
  if (!shownShape || !feltShape) return; // in this game the layout does not depend on the shape
  remember("shape", feltShape);
  if (shownShape === feltShape) requestedShape = "";
  // a new connection sends the cookie
  if (shownShape === feltShape || requestedShape === feltShape || !connectionState.hidden) return;
  requestedShape = feltShape;
  field(form, "shape").value = feltShape;
  form.requestSubmit();
}

update();
onResize(getById("lens"), update);
onUpdate(update);
// A request made before the connection opened was not sent; the first frame shows whether to repeat it.
onSocket("open", () => {
  requestedShape = "";
});
