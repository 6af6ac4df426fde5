// @ts-check
// The browser's part of the shuffle. It draws a nonce only after it was shown the site's commitment, stores both, and
// commits to the nonce. It opens the nonce when the match starts and nobody can change their commitment.

import { data, field, findById, getById } from "./dom.js";
import { hasFingerprints } from "./fallbacks.js";
import { findEntry, randomNonce, saveEntry } from "./nonce_store.js";
import { nonceFingerprint } from "./shuffle.js";
import { onSocket } from "./socket.js";
import { onUpdate } from "./updates.js";

/** @import { Entry } from "./nonce_store.js" */

const messageForm = getById("nonce-line");
const nonceForm = findById("own-nonce");
const status = findById("nonce-said");
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const SPACE = /\p{Zs}/gu;
let lastSent = "";
/** @type {{ value: string, entry: Entry } | null} a nonce typed by the player, until it is sent */
let typed = null;

// Without a fingerprint the nonce itself is sent, as from a page without scripts.
/** @param {Entry} entry @returns {Promise<["nonce" | "commitment", string, Entry]>} */
async function messageOf(entry) {
  if (!hasFingerprints()) return ["nonce", entry.nonce, { ...entry, opened: true }];
  return ["commitment", await nonceFingerprint(entry.nonce), entry];
}

/** @param {"nonce" | "commitment"} name @param {string} value */
function send(name, value) {
  if (lastSent === value) return;
  for (const other of ["commitment", "nonce"]) field(messageForm, other).value = other === name ? value : "";
  messageForm.requestSubmit();
}

// Return which of the browser's nonces the site has taken: a typed one may have come too late.
/** @param {Entry} entry @param {string} commitment */
async function takenNonce({ nonce, before }, commitment) {
  for (const candidate of [nonce, before])
    if (candidate && (await nonceFingerprint(candidate)) === commitment) return candidate;
  return "";
}

// Act on what the table shows now, so that no step is missed or repeated.
async function update() {
  const request = findById("nonce");
  if (!request) return;
  const { match: slug = "", commitment = "", stage, given = "" } = data(request);
  const entry = findEntry(slug, commitment);
  if (!request.value) {
    if (stage === "reveal") return;
    // Store a new nonce at once, for other tabs.
    const own = entry && !entry.opened ? entry : saveEntry({ slug, commitment, nonce: randomNonce() });
    const [name, value, saved] = await messageOf(own);
    if (saved !== own) saveEntry(saved);
    send(name, value);
    return;
  }
  if (!entry || !hasFingerprints()) return;
  const nonce = await takenNonce(entry, request.value);
  if (!nonce) return;
  if (stage === "reveal")
    send("nonce", saveEntry({ ...entry, nonce, shown: true, given: given.split(" "), opened: true }).nonce);
  else if (nonce === entry.nonce && !entry.shown) saveEntry({ ...entry, shown: true });
}

onUpdate(({ zones }) => {
  // A refused message is sent again with the next frame, not at once.
  if (zones.has("notice")) lastSent = "";
  else update();
});
onSocket("open", update);
onSocket("close", () => {
  lastSent = "";
});
onSocket("sent", ({ target, detail }) => {
  if (target !== messageForm) return;
  const { commitment, nonce } = detail.message.values;
  lastSent = String(commitment || nonce);
  if (typed?.value !== lastSent) return;
  saveEntry(typed.entry);
  typed = null;
  nonceForm?.reset();
  if (status) status.textContent = data(status).sealed ?? "";
});

nonceForm?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const request = findById("nonce");
  const nonce = getById("nonce-text").value.replace(NOT_PRINTABLE, "").replace(SPACE, " ").trim();
  if (!request || !nonce) return;
  const { match: slug = "", commitment = "", stage } = data(request);
  if (stage && request.value) return;
  const [name, value, entry] = await messageOf({
    slug,
    commitment,
    nonce,
    before: findEntry(slug, commitment)?.nonce,
  });
  typed = { value, entry };
  send(name, value);
});
