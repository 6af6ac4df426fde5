// @ts-check
// Reloads the page when the viewer sits down or leaves in another window. Frames update the zones of a table, but the
// parts around them depend on the viewer: the seat at the bottom, the chat form, the leave button.

import { data, getById } from "./dom.js";
import { onZone } from "./updates.js";

const match = getById("match");
let isLeaving = false; // the page is being left for one that shows the new viewer

window.addEventListener("beforeunload", () => {
  isLeaving = true;
});
onZone("hand", () => {
  if (!isLeaving && data(getById("hand")).viewer !== data(match).viewer) location.reload();
});
