// A line is laid for three shapes of felt. The page brings all three, and the style sheet shows the one that fits; this
// module keeps that one, and asks the server for another when the felt has changed its shape.

import { remember } from "./cookies.js";
import { onResize } from "./fallbacks.js";

const board = () => document.getElementById("board");
const form = document.getElementById("felt");
const lost = document.getElementById("connection-state");
let asked = "";

// All are looked at before one goes, after which the browser has to work the style of the table out again.
const others = [...document.querySelectorAll("#board > svg[class], #spots > svg[class]")].filter(
  (drawing) => getComputedStyle(drawing).display === "none",
);
for (const drawing of others) drawing.remove();

function fit() {
  const shown = board().querySelector(":scope > svg[class]")?.getAttribute("class");
  const wanted = getComputedStyle(board()).getPropertyValue("--shape");
  if (!shown || !wanted) return; // a game whose table lies as it is played
  remember("shape", wanted);
  if (shown === wanted) asked = "";
  if (shown === wanted || asked === wanted || !lost.hidden) return; // a new connection tells by the cookie
  asked = wanted;
  form.elements.shape.value = wanted;
  form.requestSubmit();
}

fit();
onResize(document.getElementById("lens"), fit);
document.addEventListener("htmx:after:swap", fit);
// What was asked before the connection stood was not sent; its first frame shows whether to ask again.
document.addEventListener("htmx:ws:after:connection", () => {
  asked = "";
});
