// @ts-check
// Reads the record of a match and validates its parts, so that the checks can rely on them.

import { GAMES, LENGTH_OPTION } from "./deal_rules.js";

/** @typedef {[name: string, ...values: (string | number)[]]} Finding the name of a phrase and its values */
/**
 * @typedef {object} Start
 * @property {"match_started"} kind
 * @property {string} variant
 * @property {number} seats
 * @property {[string, string][]} options
 * @property {number} rules_version
 * @property {string} match
 * @property {string} commitment
 * @property {string[]} nonces
 * @property {string[]} nonce_commitments
 * @property {number[]} bots
 * @property {string} source of a board: the name of its set
 * @property {number} first
 * @property {string} entropy
 */
/**
 * @typedef {object} Deal
 * @property {number} round
 * @property {number} attempt
 * @property {string[][]} hands
 * @property {string[]} boneyard
 * @property {string} rule
 * @property {string} commitment
 * @property {string[]} start
 * @property {string[]} aside
 */
/** @typedef {Place & Start} MatchStarted */
/** @typedef {Place & Deal & { kind: "deal_voided" }} DealVoided */
/** @typedef {Place & Deal & RoundFields} RoundDealt */
/** @typedef {{ kind: "round_dealt", to_move: number, must_lead: string[], lots: number[] }} RoundFields */
/** @typedef {{ kind: "played" | "drew" | "passed", seat: number, tile: string, to_move: number | null }} MoveFields */
/** @typedef {Place & MoveFields} Move */
/** @typedef {Place & { kind: "round_ended", round: number, reason: string, lead: number | null }} RoundEnded */
/** @typedef {Place & { kind: "key_revealed", round: number, key: string }} KeyRevealed */
/** @typedef {Place & { kind: "match_ended", reason: string }} MatchEnded */
/** @typedef {Place & { kind: "secret_revealed", secret: string }} SecretRevealed */
/** @typedef {Place & { kind: "seat_held" | "seat_returned" | "seat_forfeited", seat: number }} SeatChange */
/** @typedef {{ seq: unknown, place: number }} Place the number in the record, and the position, from 1 */
/** @typedef {DealVoided | RoundDealt} Dealt */
/** @typedef {Dealt | Move | RoundEnded | KeyRevealed | MatchEnded | SecretRevealed | SeatChange} LaterEvent */
/** @typedef {MatchStarted | LaterEvent} RecordEvent */
/** @typedef {(value: unknown) => boolean} Check */

export const MAX_BYTES = 10_000_000;
const FORMATS = [1, 2];
const MAX_EVENTS = 20000;
const MAX_TEXT_LENGTH = 100;
const MAX_LIST_LENGTH = 100;
const MAX_NUMBER = 1e9;

// The reason is the name of a phrase and its values.
export class Unreadable extends Error {
  /** @param {Finding} reason */
  constructor(...reason) {
    super(reason.join(" "));
    this.reason = reason;
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value @returns {value is number} */
export const isNumber = (value) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_NUMBER;
/** @param {unknown} value */
export const isText = (value) =>
  typeof value === "string" && [...value].length <= MAX_TEXT_LENGTH && !/\p{Surrogate}/u.test(value);
/** @param {RegExp} pattern @returns {Check} */
const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
export const isDigest = matches(/^[0-9a-f]{64}$/);
const isTile = matches(/^[0-9](-[0-9]){1,2}$/);
const isPlacement = matches(/^[HV]\(-?[0-9]{1,3},-?[0-9]{1,3}\)=[0-9]-[0-9]$/);
/** @param {Check} check @returns {Check} */
const allOf = (check) => (value) => Array.isArray(value) && value.length <= MAX_LIST_LENGTH && value.every(check);
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => value === null || check(value);
/** @param {unknown} value */
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every(isText);

const DEAL = {
  round: isNumber,
  attempt: isNumber,
  hands: allOf(allOf(isTile)),
  boneyard: allOf(isTile),
  rule: isText,
  commitment: isText,
  start: allOf(isPlacement),
  aside: allOf(isTile),
};
// The fields to read from events; points and standings do not matter here.
/** @type {Record<string, Record<string, Check>>} */
const FIELDS = {
  match_started: {
    variant: isText,
    seats: isNumber,
    options: allOf(isPair),
    rules_version: isNumber,
    match: isText,
    commitment: isText,
    nonces: allOf(isText),
    nonce_commitments: allOf(isText),
    bots: allOf(isNumber),
    source: isText,
    first: isNumber,
    entropy: isText,
  },
  deal_voided: DEAL,
  round_dealt: { ...DEAL, to_move: isNumber, must_lead: allOf(isTile), lots: allOf(isNumber) },
  played: { seat: isNumber, tile: isTile, to_move: orNull(isNumber) },
  drew: { seat: isNumber, tile: isTile, to_move: orNull(isNumber) },
  passed: { seat: isNumber, to_move: orNull(isNumber) },
  seat_held: { seat: isNumber },
  seat_returned: { seat: isNumber },
  seat_forfeited: { seat: isNumber },
  round_ended: { round: isNumber, reason: isText, lead: orNull(isNumber) },
  key_revealed: { round: isNumber, key: isDigest },
  match_ended: { reason: isText },
  secret_revealed: { secret: isDigest },
};
// Defaults of optional fields.
/** @type {Record<string, unknown>} */
const DEFAULTS = {
  match: "",
  commitment: "",
  nonces: [],
  nonce_commitments: [],
  bots: [],
  source: "",
  first: 1,
  entropy: "",
  start: [],
  aside: [],
  lots: [],
};

/** @param {unknown} data @returns {[MatchStarted, ...LaterEvent[]]} */
export function readEvents(data) {
  if (!isObject(data) || !FORMATS.some((format) => format === data.format)) throw new Unreadable("unreadable");
  if (!Array.isArray(data.events) || !data.events.length) throw new Unreadable("no_events");
  if (data.events.length > MAX_EVENTS) throw new Unreadable("too_long");
  const events = data.events.map((row, index) => readEvent(row, index + 1));
  if (events[0].kind !== "match_started") throw new Unreadable("no_start");
  return /** @type {[MatchStarted, ...LaterEvent[]]} */ (events);
}

/** @param {unknown} row @param {number} place @returns {RecordEvent} */
function readEvent(row, place) {
  const kind = isObject(row) ? row.kind : undefined;
  if (!isObject(row) || typeof kind !== "string" || !Object.hasOwn(FIELDS, kind))
    throw new Unreadable("unknown_kind", place);
  /** @type {Record<string, unknown>} */
  const event = { kind, seq: row.seq, place };
  for (const [name, isValid] of Object.entries(FIELDS[kind])) {
    event[name] = Object.hasOwn(row, name) ? row[name] : DEFAULTS[name];
    if (!isValid(event[name])) throw new Unreadable("bad_field", place, name);
  }
  return /** @type {RecordEvent} */ (event); // its fields were checked
}

// Return the rules of a match's game, as this program knows them.
/** @param {MatchStarted} start */
export function gameOf(start) {
  const game = Object.hasOwn(GAMES, start.variant) ? GAMES[start.variant] : null;
  if (!game) throw new Unreadable("unknown_game");
  if (start.rules_version < 1 || start.rules_version > game.version) throw new Unreadable("other_rules", game.version);
  if (!game.seats.includes(start.seats)) throw new Unreadable("unknown_seats");
  const chosen = start.options.map(([name]) => name);
  const names = Object.keys(game.options).filter((name) => chosen.includes(name) || !(name in LENGTH_OPTION));
  if (names.length !== start.options.length) throw new Unreadable("unknown_options");
  start.options.forEach(([name, choice], place) => {
    if (names[place] !== name) throw new Unreadable("unknown_options");
    const isFree = (game.optionSeats[name] ?? game.seats).includes(start.seats);
    const choices = game.options[name].slice(0, isFree ? undefined : 1);
    if (!choices.includes(choice)) throw new Unreadable("unknown_options");
  });
  return game;
}
