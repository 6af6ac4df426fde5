// The page on which the reader's browser deals all rounds of a match again.

import { ownPart } from "./own_part.js";
import { check, isUnfinished, isWrong, verdict } from "./proof.js";
import { MAX_BYTES, Unreadable } from "./record.js";

const page = document.getElementById("verify");
const words = JSON.parse(document.getElementById("verify-words").textContent);
const result = document.getElementById("verify-result");
const deals = document.getElementById("verify-deals");
const ownResult = document.getElementById("verify-own-part");

const sentenceOf = ([name, ...values]) => values.reduce((text, value) => text.replace("%s", value), words[name]);

function row(title, findings) {
  const item = document.createElement("li");
  const differs = findings.some(isWrong);
  item.className = differs ? "differs" : "holds";
  item.append(`${title}: ${differs ? words.differs : words.ok}`);
  if (findings.length) {
    const list = document.createElement("ul");
    for (const finding of findings)
      list.append(Object.assign(document.createElement("li"), { textContent: sentenceOf(finding) }));
    item.append(list);
  }
  return item;
}

function showResult(state, text, rows = []) {
  result.dataset.state = state;
  result.textContent = fileName ? `${fileName}: ${text}` : text;
  deals.replaceChildren(...rows);
  ownResult.textContent = "";
}

const STATES = { fair: "holds", unfair: "differs", unchecked: "unknown", limited: "limited" };

function showProof(proof) {
  const outcome = verdict(proof);
  const wrong = [...proof.match, ...proof.deals.flatMap((deal) => deal.findings)].filter(isWrong);
  const rows = proof.deals.map(({ round, attempt, findings }) =>
    row(sentenceOf(attempt > 1 ? ["deal_again", round, attempt] : ["deal", round]), findings),
  );
  rows.unshift(row(words.whole, proof.match));
  const sentence = outcome === "unchecked" && isUnfinished(proof) ? "running" : outcome;
  showResult(STATES[outcome], sentenceOf([sentence, outcome === "unfair" ? wrong.length : proof.deals.length]), rows);
}

// Number of the latest check; results of earlier ones are not shown.
let latestCheck = 0;
// Name of an uploaded record, shown because the page is about another match.
let fileName = "";
async function run(load, name = "") {
  fileName = name;
  const thisCheck = ++latestCheck;
  showResult("busy", words.busy);
  if (!crypto.subtle) return showResult("unknown", words.no_crypto);
  try {
    const record = await load();
    const proof = await check(record);
    const [state, sentence] = await ownPart(record.events[0]);
    if (thisCheck !== latestCheck) return;
    showProof(proof);
    ownResult.dataset.state = state;
    ownResult.textContent = words[sentence];
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof SyntaxError || error instanceof TypeError)) throw error;
    if (thisCheck === latestCheck) showResult("unknown", sentenceOf(error.reason ?? ["unreadable"]));
  }
}

async function read(file) {
  if (file.size > MAX_BYTES) throw new Unreadable("too_long");
  const text = await file.text();
  return text.startsWith("dominoes match") ? fromText(text) : JSON.parse(text);
}

// The deals of a short text follow from its keys by the rules, which the site knows: it converts the text to JSON.
async function fromText(text) {
  const { value } = document.querySelector("[name=csrfmiddlewaretoken]");
  const body = new URLSearchParams({ text, csrfmiddlewaretoken: value });
  const response = await fetch(page.dataset.import, { method: "POST", body });
  if (response.ok) return (await fetch(`${response.url}record.json`)).json();
  const errorPage = new DOMParser().parseFromString(await response.text(), "text/html");
  throw new Unreadable("refused", errorPage.querySelector(".errorlist")?.textContent.trim() ?? words.unreadable);
}

document.getElementById("verify-again").addEventListener("click", () => {
  run(async () => (await fetch(page.dataset.record)).json());
});
document.getElementById("verify-file").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  run(() => read(file), file.name);
  target.value = ""; // allow the same file to be chosen again after a change
});
page.querySelector(".verify-tools").hidden = false;
document.getElementById("verify-again").click();
