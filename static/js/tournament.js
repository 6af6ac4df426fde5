// @ts-check
// Opens the next table of a tournament where its page is in sight. A page opened later only links to the table.

import { data, query } from "./dom.js";
import { onZone } from "./updates.js";

function tablePath() {
  const link = query("#tournament-mine [data-follow]");
  return link && data(link).follow;
}
let openedPath = tablePath(); // the table that the page already linked to

function openNextTable() {
  const path = tablePath();
  if (!path || path === openedPath || document.hidden) return;
  openedPath = path;
  location.assign(path);
}

onZone("tournament-mine", openNextTable);
document.addEventListener("visibilitychange", openNextTable);
