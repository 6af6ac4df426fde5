// @ts-check
// Opens the device's share sheet where there is one; elsewhere the link leads to the addresses of the match.

import { closest, getById } from "./dom.js";

document.addEventListener("click", (event) => {
  if (!closest(event.target, "#share-match") || !navigator.share) return;
  event.preventDefault();
  navigator.share({ title: document.title, url: getById("share-address").value }).catch(() => {});
});
