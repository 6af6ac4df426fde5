// @ts-check
// The browser's part in the deals of a duplicate tournament. It draws a nonce after it was shown the commitment of the
// site, commits to it with the entry, and opens it at the start, when nobody can change theirs. Later it finds its own
// nonce in the public list.

import { data, field, findById, getById, queryAll } from "./dom.js";
import { hasFingerprints } from "./fallbacks.js";
import { findEntry, randomNonce, saveEntry } from "./nonce_store.js";
import { nonceFingerprint } from "./shuffle.js";
import { onSocket } from "./socket.js";
import { onZone } from "./updates.js";

/** @param {string} slug @param {string} commitment */
async function commit(slug, commitment) {
  const { nonce } = findEntry(slug, commitment) ?? saveEntry({ slug, commitment, nonce: randomNonce() });
  const form = getById("act");
  // Without a fingerprint the nonce itself is sent, as at tables.
  if (hasFingerprints()) field(form, "commitment").value = await nonceFingerprint(nonce);
  else field(form, "nonce").value = nonce;
}

/** @param {string} nonce @param {string} own the commitment that the site has */
async function open(nonce, own) {
  if (!hasFingerprints() || (await nonceFingerprint(nonce)) !== own) return;
  const form = getById("nonce-line");
  field(form, "nonce").value = nonce;
  form.requestSubmit();
}

// Act on what the page shows now, so that no step is missed.
async function update() {
  const request = findById("nonce");
  if (!request) return;
  const { match: slug = "", commitment = "", stage } = data(request);
  if (stage === "enter") await commit(slug, commitment);
  const entry = findEntry(slug, commitment);
  if (stage === "reveal" && entry) await open(entry.nonce, request.value);
}

function markOwn() {
  const list = findById("tournament-nonces");
  if (!list) return;
  const { match: slug = "", commitment = "" } = data(list);
  const nonce = findEntry(slug, commitment)?.nonce;
  for (const item of queryAll("#tournament-nonces li"))
    if (nonce && item.querySelector("code")?.textContent === nonce) item.classList.add("own-part");
}

onZone("tournament-mine", update);
onSocket("open", update);
update();
markOwn();
