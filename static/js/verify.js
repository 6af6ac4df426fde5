// The page on which the reader's own browser deals every round of a match again.

import { ownPart } from "./own_part.js";
import { check, isUnfinished, isWrong, verdict } from "./proof.js";
import { MOST_BYTES, Unreadable } from "./record.js";

const page = document.getElementById("verify");
const words = JSON.parse(document.getElementById("verify-words").textContent);
const result = document.getElementById("verify-result");
const deals = document.getElementById("verify-deals");
const own = document.getElementById("verify-own-part");

const say = ([name, ...values]) => values.reduce((text, value) => text.replace("%s", value), words[name]);

function row(title, findings) {
  const item = document.createElement("li");
  const differs = findings.some(isWrong);
  item.className = differs ? "differs" : "holds";
  item.append(`${title}: ${differs ? words.differs : words.ok}`);
  if (findings.length) {
    const list = document.createElement("ul");
    for (const finding of findings)
      list.append(Object.assign(document.createElement("li"), { textContent: say(finding) }));
    item.append(list);
  }
  return item;
}

function show(state, text, rows = []) {
  result.dataset.state = state;
  result.textContent = file ? `${file}: ${text}` : text;
  deals.replaceChildren(...rows);
  own.textContent = "";
}

const STATES = { fair: "holds", unfair: "differs", unchecked: "unknown", limited: "limited" };

function tell(proof) {
  const found = verdict(proof);
  const wrong = [...proof.match, ...proof.deals.flatMap((deal) => deal.findings)].filter(isWrong);
  const rows = proof.deals.map(({ round, attempt, findings }) =>
    row(say(attempt > 1 ? ["deal_again", round, attempt] : ["deal", round]), findings),
  );
  rows.unshift(row(words.whole, proof.match));
  const sentence = found === "unchecked" && isUnfinished(proof) ? "running" : found;
  show(STATES[found], say([sentence, found === "unfair" ? wrong.length : proof.deals.length]), rows);
}

// A late result is not shown for what was asked meanwhile.
let asked = 0;
// An uploaded record goes by the name of its file, for the page is about another match.
let file = "";
async function run(load, name = "") {
  file = name;
  const question = ++asked;
  show("busy", words.busy);
  if (!crypto.subtle) return show("unknown", words.no_crypto);
  try {
    const record = await load();
    const proof = await check(record);
    const [state, sentence] = await ownPart(record.events[0]);
    if (question !== asked) return;
    tell(proof);
    own.dataset.state = state;
    own.textContent = words[sentence];
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof SyntaxError || error instanceof TypeError)) throw error;
    if (question === asked) show("unknown", say(error.reason ?? ["unreadable"]));
  }
}

async function read(chosen) {
  if (chosen.size > MOST_BYTES) throw new Unreadable("too_long");
  const text = await chosen.text();
  return text.startsWith("dominoes match") ? fromText(text) : JSON.parse(text);
}

// The deals of a short text follow from its keys by the rules, which the site knows: it writes the text out as JSON.
async function fromText(text) {
  const { value } = document.querySelector("[name=csrfmiddlewaretoken]");
  const body = new URLSearchParams({ text, csrfmiddlewaretoken: value });
  const answer = await fetch(page.dataset.import, { method: "POST", body });
  if (answer.ok) return (await fetch(`${answer.url}record.json`)).json();
  const shown = new DOMParser().parseFromString(await answer.text(), "text/html");
  throw new Unreadable("refused", shown.querySelector(".errorlist")?.textContent.trim() ?? words.unreadable);
}

document.getElementById("verify-again").addEventListener("click", () => {
  run(async () => (await fetch(page.dataset.record)).json());
});
document.getElementById("verify-file").addEventListener("change", ({ target }) => {
  const [chosen] = target.files;
  if (!chosen) return;
  run(() => read(chosen), chosen.name);
  target.value = ""; // the same file can be chosen again when it has changed
});
page.querySelector(".verify-tools").hidden = false;
document.getElementById("verify-again").click();
