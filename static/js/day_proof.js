// @ts-check
// Checks the proof of daily boards, in the browser and for verify_deal.mjs: that the secret is the one sealed a day
// before, that the entropy is that of the listed nonces, and that every deal follows from both.

import { check } from "./proof.js";
import { isDigest, isNumber, isObject, isText, readEvents, Unreadable } from "./record.js";
import { fingerprint, nonceListFingerprint } from "./shuffle.js";

/** @import { CheckedDeal, Proof } from "./proof.js" */
/** @import { Finding } from "./record.js" */
/**
 * @typedef {object} Day
 * @property {string} variant
 * @property {string} date
 * @property {string} commitment
 * @property {string} secret "" until the boards are closed
 * @property {string} entropy
 * @property {string[]} nonces of the entrants of the day before, in the order of their entry
 * @property {number} ranked_entrants how many of them had a confirmed address and a device of their own
 * @property {string[]} sets the names of all sets
 * @property {string} set the name of the set whose boards are here
 * @property {unknown[]} boards records of matches
 */

const KIND = "daily_boards";
const BOARDS = 8;
const ENTRANTS_PER_SET = 16;
const MAX_SETS = 64;
const MAX_NONCES = 1_000_000;

/** @param {unknown} data */
export const isDayProof = (data) => isObject(data) && data.kind === KIND;

/** @param {unknown} value */
const isTextList = (value) => Array.isArray(value) && value.length <= MAX_NONCES && value.every(isText);
const OPEN_FIELDS = { variant: isText, date: isText, commitment: isDigest };
const CLOSED_FIELDS = {
  secret: isDigest,
  entropy: isDigest,
  nonces: isTextList,
  ranked_entrants: isNumber,
  sets: isTextList,
  set: isText,
  boards: Array.isArray,
};

// Return the proof if its fields are valid. Records are checked later.
/** @param {unknown} data @returns {Day} */
export function readDay(data) {
  if (!isDayProof(data) || !isObject(data)) throw new Unreadable("unreadable");
  const fields = Object.hasOwn(data, "secret") ? { ...OPEN_FIELDS, ...CLOSED_FIELDS } : OPEN_FIELDS;
  for (const [name, isValid] of Object.entries(fields))
    if (!isValid(data[name])) throw new Unreadable("day_field", name);
  const day = /** @type {Day} */ (/** @type {unknown} */ (data));
  return { ...day, secret: day.secret ?? "" };
}

// Return the findings about the day as a whole and about each record. Throws Unreadable.
/** @param {unknown} data @returns {Promise<Proof>} */
export async function checkDay(data) {
  const day = readDay(data);
  if (!day.secret) return { match: [["day_open"]], deals: [] };
  const match = await wholeFindings(day);
  /** @type {CheckedDeal[]} */
  const deals = [];
  for (const record of day.boards) deals.push(await checkBoard(day, record));
  const played = new Set(deals.map(({ round }) => round));
  for (let board = 1; board <= BOARDS; board += 1) if (!played.has(board)) match.push(["not_played", board]);
  return { match, deals };
}

/** @param {Day} day */
async function wholeFindings({ variant, date, commitment, secret, entropy, nonces, ranked_entrants, sets, set }) {
  /** @type {Finding[]} */
  const findings = [];
  if ((await fingerprint(secret)) !== commitment) findings.push(["day_secret"]);
  if ((await nonceListFingerprint(nonces)) !== entropy) findings.push(["day_entropy"]);
  const isNamed = sets.every((name, place) => name === `daily-${variant}-${date}-${place + 1}`);
  const isCount =
    ranked_entrants >= 0 && ranked_entrants <= nonces.length && sets.length === setCount(ranked_entrants);
  if (!isNamed || !isCount || !sets.includes(set)) findings.push(["day_sets"]);
  if (!nonces.some(Boolean)) findings.push(["no_nonces"]);
  return findings;
}

/** @param {number} entrants */
function setCount(entrants) {
  const rounded = Math.floor((2 * entrants + ENTRANTS_PER_SET) / (2 * ENTRANTS_PER_SET));
  return Math.min(MAX_SETS, Math.max(1, rounded));
}

/** @param {Day} day @param {unknown} record @returns {Promise<CheckedDeal>} */
async function checkBoard({ variant, commitment, entropy, set }, record) {
  const [start] = readEvents(record);
  const { match, deals } = await check(record);
  const findings = [...match, ...deals.flatMap((deal) => deal.findings)].filter(([name]) => name !== "board");
  const isOfDay =
    start.variant === variant &&
    start.commitment === commitment &&
    start.entropy === entropy &&
    start.source === set &&
    isNumber(start.first) &&
    start.first <= BOARDS;
  if (!isOfDay) findings.unshift(["other_day"]);
  return { round: start.first, attempt: 1, kind: "board", findings };
}
