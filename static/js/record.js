// Reads the record of a match and validates its parts, so that the checks can rely on them.

import { GAMES, LENGTH } from "./deal_rules.js";

export const MAX_BYTES = 10_000_000;
const FORMATS = [1, 2];
const MAX_EVENTS = 20000;
const MAX_TEXT_LENGTH = 100;
const MAX_LIST_LENGTH = 100;
const MAX_NUMBER = 1e9;

// The reason is the name of a phrase and its values.
export class Unreadable extends Error {
  constructor(...reason) {
    super(reason.join(" "));
    this.reason = reason;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isNumber = (value) => Number.isInteger(value) && Math.abs(value) <= MAX_NUMBER;
const isText = (value) =>
  typeof value === "string" && [...value].length <= MAX_TEXT_LENGTH && !/\p{Surrogate}/u.test(value);
const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
export const isDigest = matches(/^[0-9a-f]{64}$/);
const isTile = matches(/^[0-9](-[0-9]){1,2}$/);
const isPlacement = matches(/^[HV]\(-?[0-9]{1,3},-?[0-9]{1,3}\)=[0-9]-[0-9]$/);
const allOf = (check) => (value) => Array.isArray(value) && value.length <= MAX_LIST_LENGTH && value.every(check);
const orNull = (check) => (value) => value === null || check(value);
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
const DEFAULTS = {
  match: "",
  commitment: "",
  nonces: [],
  nonce_commitments: [],
  bots: [],
  start: [],
  aside: [],
  lots: [],
};

export function readEvents(data) {
  if (!isObject(data) || !FORMATS.includes(data.format)) throw new Unreadable("unreadable");
  if (!Array.isArray(data.events) || !data.events.length) throw new Unreadable("no_events");
  if (data.events.length > MAX_EVENTS) throw new Unreadable("too_long");
  const events = data.events.map((row, index) => readEvent(row, index + 1));
  if (events[0].kind !== "match_started") throw new Unreadable("no_start");
  return events;
}

function readEvent(row, place) {
  const kind = isObject(row) ? row.kind : undefined;
  if (typeof kind !== "string" || !Object.hasOwn(FIELDS, kind)) throw new Unreadable("unknown_kind", place);
  const event = { kind, seq: row.seq, place };
  for (const [name, isValid] of Object.entries(FIELDS[kind])) {
    event[name] = Object.hasOwn(row, name) ? row[name] : DEFAULTS[name];
    if (!isValid(event[name])) throw new Unreadable("bad_field", place, name);
  }
  return event;
}

// Return the rules of a match's game, as this program knows them.
export function gameOf(start) {
  const game = Object.hasOwn(GAMES, start.variant) ? GAMES[start.variant] : null;
  if (!game) throw new Unreadable("unknown_game");
  if (start.rules_version < 1 || start.rules_version > game.version) throw new Unreadable("other_rules", game.version);
  if (!game.seats.includes(start.seats)) throw new Unreadable("unknown_seats");
  const chosen = start.options.map(([name]) => name);
  const names = Object.keys(game.options).filter((name) => chosen.includes(name) || !(name in LENGTH));
  if (names.length !== start.options.length) throw new Unreadable("unknown_options");
  start.options.forEach(([name, choice], place) => {
    if (names[place] !== name) throw new Unreadable("unknown_options");
    const isFree = (game.optionSeats[name] ?? game.seats).includes(start.seats);
    const choices = game.options[name].slice(0, isFree ? undefined : 1);
    if (!choices.includes(choice)) throw new Unreadable("unknown_options");
  });
  return game;
}
