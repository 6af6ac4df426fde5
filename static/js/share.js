// @ts-check
// Opens the device's share sheet where there is one; elsewhere the link leads to the addresses of the match.

import { closest, getById } from "./dom.js";
import { canShare, share } from "./fallbacks.js";

document.addEventListener("click", (event) => {
  if (!closest(event.target, "#share-match") || !canShare()) return;
  event.preventDefault();
  share({ title: document.title, url: getById("share-address").value });
});
