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

// Without https a browser reckons no fingerprint: the nonce itself is sent, as from a page without a script.
async function commit(entry) {
  if (crypto.subtle) send("commitment", await nonceFingerprint(entry.nonce));
  else send("nonce", keep({ ...entry, opened: true }).nonce);
}

function send(name, value) {
  if (sent === value) return;
  for (const field of ["commitment", "nonce"]) line.elements[field].value = field === name ? value : "";
  line.requestSubmit();
}

// All that has to be known stands in the table that is shown; so nothing is missed, and nothing done twice.
async function look() {
  const asked = document.getElementById("nonce");
  if (!asked) return;
  const { match: slug, commitment, stage, given } = asked.dataset;
  const entry = kept(slug, commitment);
  if (!asked.value && stage !== "reveal") {
    await commit(entry && !entry.opened ? entry : keep({ slug, commitment, nonce: drawn() }));
  } else if (entry && crypto.subtle && (await nonceFingerprint(entry.nonce)) === asked.value) {
    if (stage === "reveal") send("nonce", keep({ ...entry, shown: true, given: given.split(" "), opened: true }).nonce);
    else if (!entry.shown) keep({ ...entry, shown: true });
  }
}

match.addEventListener("htmx:after:swap", look);
match.addEventListener("htmx:ws:after:connection", look);
match.addEventListener("htmx:ws:close", () => { sent = ""; });
match.addEventListener("htmx:ws:after:message:outgoing", ({ target, detail }) => {
  if (target !== line) return;
  const { commitment, nonce } = detail.message.values;
  sent = commitment || nonce;
  if (!typed) return;
  keep(typed);
  typed = null;
  form.reset();
  said.textContent = said.dataset.sealed;
});

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = document.getElementById("nonce");
  const nonce = document.getElementById("nonce-text").value.replace(NOT_PRINTABLE, "").replace(SPACE, " ").trim();
  if (!asked || !nonce) return;
  typed = { slug: asked.dataset.match, commitment: asked.dataset.commitment, nonce };
  commit(typed);
});
