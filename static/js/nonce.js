// The browser's part of the shuffle. It draws a nonce only after it was shown the site's commitment, stores both, and
// commits to the nonce. It opens the nonce when the match starts and nobody can change their commitment.

import { findEntry, saveEntry } from "./nonce_store.js";
import { hexOf, nonceFingerprint } from "./shuffle.js";

const match = document.getElementById("match");
const messageForm = document.getElementById("nonce-line");
const nonceForm = document.getElementById("own-nonce");
const status = document.getElementById("nonce-said");
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const SPACE = /\p{Zs}/gu;
let lastSent = "";
let typed = null; // a nonce typed by the player, until it is sent

const randomNonce = () => hexOf(crypto.getRandomValues(new Uint8Array(16)));

// Without https a browser cannot compute the fingerprint: the nonce itself is sent, as from a page without scripts.
async function messageOf(entry) {
  if (!crypto.subtle) return ["nonce", entry.nonce, { ...entry, opened: true }];
  return ["commitment", await nonceFingerprint(entry.nonce), entry];
}

function send(name, value) {
  if (lastSent === value) return;
  for (const field of ["commitment", "nonce"]) messageForm.elements[field].value = field === name ? value : "";
  messageForm.requestSubmit();
}

// Return which of the browser's nonces the site has taken: a typed one may have come too late.
async function takenNonce({ nonce, before }, commitment) {
  for (const candidate of [nonce, before])
    if (candidate && (await nonceFingerprint(candidate)) === commitment) return candidate;
  return "";
}

// Act on what the table shows now, so that no step is missed or repeated.
async function update() {
  const request = document.getElementById("nonce");
  if (!request) return;
  const { match: slug, commitment, stage, given } = request.dataset;
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
  const nonce = entry && crypto.subtle ? await takenNonce(entry, request.value) : "";
  if (!nonce) return;
  if (stage === "reveal")
    send("nonce", saveEntry({ ...entry, nonce, shown: true, given: given.split(" "), opened: true }).nonce);
  else if (nonce === entry.nonce && !entry.shown) saveEntry({ ...entry, shown: true });
}

match.addEventListener("htmx:after:swap", ({ detail }) => {
  // A refused message is sent again with the next frame, not at once.
  if (detail.ctx.text.includes('<hx-partial id="notice"')) lastSent = "";
  else update();
});
match.addEventListener("htmx:ws:after:connection", update);
match.addEventListener("htmx:ws:close", () => {
  lastSent = "";
});
match.addEventListener("htmx:ws:after:message:outgoing", ({ target, detail }) => {
  if (target !== messageForm) return;
  const { commitment, nonce } = detail.message.values;
  lastSent = commitment || nonce;
  if (typed?.value !== lastSent) return;
  saveEntry(typed.entry);
  typed = null;
  nonceForm.reset();
  status.textContent = status.dataset.sealed;
});

nonceForm?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const request = document.getElementById("nonce");
  const nonce = document.getElementById("nonce-text").value.replace(NOT_PRINTABLE, "").replace(SPACE, " ").trim();
  const isFixed = request?.dataset.stage && request.value;
  if (!request || isFixed || !nonce) return;
  const { match: slug, commitment } = request.dataset;
  const [name, value, entry] = await messageOf({
    slug,
    commitment,
    nonce,
    before: findEntry(slug, commitment)?.nonce,
  });
  typed = { value, entry };
  send(name, value);
});
