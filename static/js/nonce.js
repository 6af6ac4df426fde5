// The browser's part of the shuffle. It draws a nonce only when it has been shown the site's commitment, remembers
// both, and commits to the nonce. When the match starts, and nobody can commit to another one any more, it opens it.

import { keep, kept } from "./kept_nonces.js";
import { hexOf, nonceFingerprint } from "./shuffle.js";

const match = document.getElementById("match");
const line = document.getElementById("nonce-line");
const form = document.getElementById("own-nonce");
const said = document.getElementById("nonce-said");
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const SPACE = /\p{Zs}/gu;
let sent = "";
let typed = null; // what a person typed, until it is sent

const drawn = () => hexOf(crypto.getRandomValues(new Uint8Array(16)));

// Without https a browser computes no fingerprint: the nonce itself is sent, as from a page without scripts.
async function messageOf(entry) {
  if (!crypto.subtle) return ["nonce", entry.nonce, { ...entry, opened: true }];
  return ["commitment", await nonceFingerprint(entry.nonce), entry];
}

function send(name, value) {
  if (sent === value) return;
  for (const field of ["commitment", "nonce"]) line.elements[field].value = field === name ? value : "";
  line.requestSubmit();
}

// Return which of the browser's nonces the site has taken: a typed one may have come too late.
async function taken({ nonce, before }, commitment) {
  for (const each of [nonce, before]) if (each && (await nonceFingerprint(each)) === commitment) return each;
  return "";
}

// Everything is decided by what the table shows now, so nothing is missed and nothing done twice.
async function look() {
  const asked = document.getElementById("nonce");
  if (!asked) return;
  const { match: slug, commitment, stage, given } = asked.dataset;
  const entry = kept(slug, commitment);
  if (!asked.value) {
    if (stage === "reveal") return;
    // A new nonce is kept at once, for other tabs.
    const mine = entry && !entry.opened ? entry : keep({ slug, commitment, nonce: drawn() });
    const [name, value, its] = await messageOf(mine);
    if (its !== mine) keep(its);
    send(name, value);
    return;
  }
  const nonce = entry && crypto.subtle ? await taken(entry, asked.value) : "";
  if (!nonce) return;
  if (stage === "reveal")
    send("nonce", keep({ ...entry, nonce, shown: true, given: given.split(" "), opened: true }).nonce);
  else if (nonce === entry.nonce && !entry.shown) keep({ ...entry, shown: true });
}

match.addEventListener("htmx:after:swap", ({ detail }) => {
  // What was refused is tried again with the next frame, not at once.
  if (detail.ctx.text.includes('<hx-partial id="notice"')) sent = "";
  else look();
});
match.addEventListener("htmx:ws:after:connection", look);
match.addEventListener("htmx:ws:close", () => {
  sent = "";
});
match.addEventListener("htmx:ws:after:message:outgoing", ({ target, detail }) => {
  if (target !== line) return;
  const { commitment, nonce } = detail.message.values;
  sent = commitment || nonce;
  if (typed?.value !== sent) return;
  keep(typed.entry);
  typed = null;
  form.reset();
  said.textContent = said.dataset.sealed;
});

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = document.getElementById("nonce");
  const nonce = document.getElementById("nonce-text").value.replace(NOT_PRINTABLE, "").replace(SPACE, " ").trim();
  const isFixed = asked?.dataset.stage && asked.value;
  if (!asked || isFixed || !nonce) return;
  const { match: slug, commitment } = asked.dataset;
  const [name, value, entry] = await messageOf({ slug, commitment, nonce, before: kept(slug, commitment)?.nonce });
  typed = { value, entry };
  send(name, value);
});
