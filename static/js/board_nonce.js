// @ts-check
// The browser's part of tomorrow's daily boards. It draws a nonce after it was shown the commitment of the site, keeps
// both, and sends the nonce with the first board of today.

import { data, queryAll } from "./dom.js";
import { findEntry, randomNonce, saveEntry } from "./nonce_store.js";

for (const line of /** @type {HTMLInputElement[]} */ (queryAll("input[name=nonce][data-commitment]"))) {
  const { match: slug = "", commitment = "" } = data(line);
  const entry = findEntry(slug, commitment) ?? saveEntry({ slug, commitment, nonce: randomNonce(), opened: true });
  line.value = entry.nonce;
}
