// @ts-check
// Sends an invitation by the device's share sheet, where it has one, and lets players rename themselves by a tap on
// their name.

import { closest, data, findById, getById, queryAll } from "./dom.js";
import { canShare, hasPopovers, share } from "./fallbacks.js";

const match = getById("match");
const rename = findById("rename");

for (const button of queryAll("[data-share]")) {
  button.hidden = !canShare();
  button.addEventListener("click", () => share({ title: data(button).title, url: data(button).share }));
}

match.addEventListener("click", (event) => {
  const { viewer } = data(match);
  const ownName = viewer && closest(event.target, `#seat${viewer} .name`);
  if (!ownName || !rename || !hasPopovers()) return;
  event.preventDefault();
  rename.showPopover();
});
