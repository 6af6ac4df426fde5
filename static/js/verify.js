// @ts-check
// The page on which the reader's browser deals all rounds of a match again.

import { checkDay, isDayProof } from "./day_proof.js";
import { data, getById, query } from "./dom.js";
import { hasFingerprints } from "./fallbacks.js";
import { ownPart, ownPartOfDay } from "./own_part.js";
import { check, isUnfinished, isWrong, titleOf, verdict } from "./proof.js";
import { MAX_BYTES, Unreadable } from "./record.js";

/** @import { Proof } from "./proof.js" */
/** @import { Finding } from "./record.js" */

const page = getById("verify");
/** @type {Record<string, string>} */
const words = JSON.parse(getById("verify-words").textContent);
const result = getById("verify-result");
const deals = getById("verify-deals");
const ownResult = getById("verify-own-part");

/** @param {Finding} finding @returns {string} */
const sentenceOf = ([name, ...values]) =>
  values.reduce((/** @type {string} */ text, value) => text.replace("%s", String(value)), words[name]);

/** @param {string} title @param {Finding[]} findings */
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

/** @param {string} state @param {string} text @param {Element[]} [rows] */
function showResult(state, text, rows = []) {
  data(result).state = state;
  result.textContent = fileName ? `${fileName}: ${text}` : text;
  deals.replaceChildren(...rows);
  ownResult.textContent = "";
}

const STATES = { fair: "holds", unfair: "differs", unchecked: "unknown", limited: "limited" };

/** @param {Proof} proof */
function showProof(proof) {
  const outcome = verdict(proof);
  const wrong = [...proof.match, ...proof.deals.flatMap((deal) => deal.findings)].filter(isWrong);
  const rows = proof.deals.map((deal) => row(sentenceOf(titleOf(deal)), deal.findings));
  rows.unshift(row(words.whole, proof.match));
  const sentence = outcome === "unchecked" && isUnfinished(proof) ? "running" : outcome;
  showResult(STATES[outcome], sentenceOf([sentence, outcome === "unfair" ? wrong.length : proof.deals.length]), rows);
}

// Number of the latest check; results of earlier ones are not shown.
let latestCheck = 0;
// Name of an uploaded record, shown because the page is about another match.
let fileName = "";
/** @param {() => Promise<any>} load @param {string} [name] */
async function run(load, name = "") {
  fileName = name;
  const thisCheck = ++latestCheck;
  showResult("busy", words.busy);
  if (!hasFingerprints()) return showResult("unknown", words.no_crypto);
  try {
    const record = await load();
    const isDay = isDayProof(record);
    const proof = await (isDay ? checkDay(record) : check(record));
    const [state, sentence] = await (isDay ? ownPartOfDay(record) : ownPart(record.events[0]));
    if (thisCheck !== latestCheck) return;
    showProof(proof);
    data(ownResult).state = state;
    ownResult.textContent = words[sentence];
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof SyntaxError || error instanceof TypeError)) throw error;
    if (thisCheck === latestCheck)
      showResult("unknown", sentenceOf(error instanceof Unreadable ? error.reason : ["unreadable"]));
  }
}

/** @param {File} file */
async function read(file) {
  if (file.size > MAX_BYTES) throw new Unreadable("too_long");
  const text = await file.text();
  return text.startsWith("dominoes match") ? fromText(text) : JSON.parse(text);
}

// The deals of a short text follow from its keys by the rules, which the site knows: it converts the text to JSON.
/** @param {string} text */
async function fromText(text) {
  const { value } = /** @type {HTMLInputElement} */ (query("[name=csrfmiddlewaretoken]"));
  const body = new URLSearchParams({ text, csrfmiddlewaretoken: value });
  const response = await fetch(data(page).import ?? "", { method: "POST", body });
  if (response.ok) return (await fetch(`${response.url}record.json`)).json();
  const errorPage = new DOMParser().parseFromString(await response.text(), "text/html");
  throw new Unreadable("refused", query(".errorlist", errorPage)?.textContent.trim() ?? words.unreadable);
}

getById("verify-again").addEventListener("click", () => {
  run(async () => (await fetch(data(page).record ?? "")).json());
});
const fileInput = getById("verify-file");
fileInput.addEventListener("change", () => {
  const [file] = fileInput.files ?? [];
  if (!file) return;
  run(() => read(file), file.name);
  fileInput.value = ""; // allow the same file to be chosen again after a change
});
/** @type {HTMLElement} */ (query(".verify-tools", page)).hidden = false;
getById("verify-again").click();
