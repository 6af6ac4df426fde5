// @ts-check
// Goes to the table that the site has laid for the person, once the page is visible. During a match it only links.

import { data, findById } from "./dom.js";
import { onZone } from "./updates.js";

function followNextTable() {
  const line = findById("next-table");
  const path = line && data(line).follow;
  if (!path || document.hidden) return;
  delete data(line).follow;
  location.assign(path);
}

onZone("next-table", followNextTable);
document.addEventListener("visibilitychange", followNextTable);
