// @ts-check
// Opens the next table that the site has laid for the person where the page is in sight. A page that was opened later
// only links to the table, as one during a match does.

import { data, query } from "./dom.js";
import { onZone } from "./updates.js";

function nextPath() {
  const link = query("#next-table[data-follow], #tournament-mine [data-follow], .next-step[data-follow]");
  return link && data(link).follow;
}
let openedPath = nextPath(); // the table that the page already linked to

function openNextTable() {
  const path = nextPath();
  if (!path || path === openedPath || document.hidden) return;
  openedPath = path;
  location.assign(path);
}

onZone(["next-table", "tournament-mine", "hand"], openNextTable);
document.addEventListener("visibilitychange", openNextTable);
