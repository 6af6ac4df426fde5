#!/usr/bin/env node
// @ts-check
// Checks that the tiles of an exported match were dealt as the site had committed itself to:
//
//     node verify_deal.mjs match.json        (or: node verify_deal.mjs < match.json)
//
// It also checks the proof of daily boards, and that other matches were played on these boards:
//
//     node verify_deal.mjs proof.json [match.json ...]
//
// Needs Node.js 20 or newer, but no packages, no network and no other files of the site. The checks are the modules of
// the page "Check the deals". The last line begins with the verdict, which is also the exit code; fair-dealing.md
// explains both.

import { readFileSync } from "node:fs";
import { checkDay, isDayProof } from "./day_proof.js";
import { check, isUnfinished, isWrong, titleOf, verdict } from "./proof.js";
import { MAX_BYTES, Unreadable } from "./record.js";

/** @import { Proof, Verdict } from "./proof.js" */
/** @import { Finding, MatchStarted } from "./record.js" */

const EXIT_CODES = { fair: 0, unfair: 1, unchecked: 2, limited: 3 };
const MAX_LINES = 50;
const STDIN = 0;

// The page's sentences, part of the download; without them only the names of findings are printed.
/** @returns {Record<string, string>} */
function readWords() {
  try {
    return JSON.parse(readFileSync(new URL("words.json", import.meta.url), "utf8"));
  } catch {
    return {};
  }
}

const words = readWords();
/** @param {Finding} finding @returns {string} */
const text = ([name, ...values]) =>
  words[name]
    ? values.reduce((/** @type {string} */ sentence, value) => sentence.replace("%s", String(value)), words[name])
    : [name, ...values].join(" ");

/** @param {string | number} path */
function readRecord(path) {
  const bytes = readFileSync(path);
  if (bytes.length > MAX_BYTES) throw new Unreadable("too_long");
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** @param {Proof} proof */
function linesOf({ match, deals }) {
  /** @type {[Finding, string][]} */
  const lines = match.map((finding) => [finding, text(finding)]);
  for (const deal of deals) {
    const title = text(titleOf(deal));
    for (const finding of deal.findings) lines.push([finding, `${title}: ${text(finding)}`]);
  }
  const wrong = lines.filter(([finding]) => isWrong(finding));
  return [...wrong, ...lines.filter(([finding]) => !isWrong(finding))].map(([_finding, line]) => line);
}

/** @param {Verdict} outcome @param {Proof} proof @param {Partial<MatchStarted>} start */
function summary(outcome, proof, { nonces = [] }) {
  if (outcome === "unfair") {
    const findings = [...proof.match, ...proof.deals.flatMap((deal) => deal.findings)];
    return text([outcome, findings.filter(isWrong).length]);
  }
  const sentence = text([outcome === "unchecked" && isUnfinished(proof) ? "running" : outcome, proof.deals.length]);
  const seats = nonces.flatMap((nonce, seat) => (nonce ? [seat + 1] : []));
  return outcome === "fair" && seats.length ? `${sentence} ${text(["givers", seats.join(", ")])}` : sentence;
}

/** @param {(string | number)[]} paths */
async function report([path, ...others]) {
  const record = readRecord(path);
  const isDay = isDayProof(record);
  if (isDay && Array.isArray(record.boards)) record.boards.push(...others.map(readRecord));
  const proof = await (isDay ? checkDay(record) : check(record));
  const lines = linesOf(proof);
  for (const line of lines.slice(0, MAX_LINES)) console.log(line);
  if (lines.length > MAX_LINES) console.log(`(+${lines.length - MAX_LINES})`);
  const outcome = verdict(proof);
  console.log(`${outcome.toUpperCase()}: ${summary(outcome, proof, isDay ? {} : record.events[0])}`);
  return EXIT_CODES[outcome];
}

try {
  process.exitCode = await report(process.argv.length > 2 ? process.argv.slice(2) : [STDIN]);
} catch (error) {
  const isExpected = [Unreadable, SyntaxError, TypeError, RangeError].some((kind) => error instanceof kind);
  const systemMessage = error instanceof Error && "code" in error ? error.message : "";
  if (!isExpected && !systemMessage) throw error;
  // The message of a SyntaxError quotes the file, which may contain anything.
  console.log(`UNCHECKED: ${systemMessage || text(error instanceof Unreadable ? error.reason : ["unreadable"])}`);
  process.exitCode = EXIT_CODES.unchecked;
}
