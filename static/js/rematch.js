// @ts-check
// Follows to the rematch, if the page was open when everybody agreed to it. A page opened later only links to it.

import { data, getById, query } from "./dom.js";

const match = getById("match");
function rematchPath() {
  const link = query("#hand [data-follow]");
  return link && data(link).follow;
}
let isFollowing = !rematchPath();

match.addEventListener("htmx:after:swap", () => {
  const path = rematchPath();
  if (!isFollowing || !path) return;
  isFollowing = false;
  location.assign(path);
});
