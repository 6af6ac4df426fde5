// @ts-check
// Follows to the rematch, if the page was open when everybody agreed to it. A page opened later only links to it.

import { data, findById } from "./dom.js";
import { onZone } from "./updates.js";

function rematchPath() {
  const link = findById("rematch");
  return link && data(link).follow;
}
let isFollowing = !rematchPath();

onZone("hand", () => {
  const path = rematchPath();
  if (!isFollowing || !path) return;
  isFollowing = false;
  location.assign(path);
});
