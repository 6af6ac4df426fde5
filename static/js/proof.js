// @ts-check
// Checks the record of a match, in the browser and for verify_deal.mjs. A finding is a list of the name of a phrase
// and its values; people count seats from 1.

import { partsOf } from "./deal_rules.js";
import { PlayedRound } from "./played_round.js";
import { gameOf, isDigest, isNumber, readEvents } from "./record.js";
import { fingerprint, nonceFingerprint, randomWords, roundKey, shuffled } from "./shuffle.js";

/** @import { Game } from "./deal_rules.js" */
/** @import { Dealt, Finding, LaterEvent, MatchStarted, RecordEvent, RoundDealt, RoundEnded } from "./record.js" */
/** @typedef {[MatchStarted, ...LaterEvent[]]} Events */
/** @typedef {{ round: number, attempt: number, kind: string, findings: Finding[] }} CheckedDeal */
/** @typedef {{ match: Finding[], deals: CheckedDeal[] }} Proof */
/** @typedef {"unfair" | "unchecked" | "limited" | "fair"} Verdict */
/** @typedef {{ hands: string[][], start: string[], heaps: string[][] }} CorrectDeal */

const MAX_FINDINGS = 200; // no more deals and moves are checked after this many
const MISSING = new Set(["day_open", "secret_missing", "key_missing", "not_over", "nothing_dealt"]);
const LIMITS = new Set(["no_commitments", "no_nonces"]);
const NOTES = new Set(["not_opened", "board", "not_played"]);
/** @param {Finding} finding */
export const isWrong = ([name]) => !MISSING.has(name) && !LIMITS.has(name) && !NOTES.has(name);

/** @param {Proof} proof @returns {Verdict} */
export function verdict({ match, deals }) {
  const all = [...match, ...deals.flatMap((deal) => deal.findings)];
  if (all.some(isWrong)) return "unfair";
  if (all.some(([name]) => MISSING.has(name))) return "unchecked";
  return all.some(([name]) => LIMITS.has(name)) ? "limited" : "fair";
}

// Return the name of a checked deal: its round, or its number among daily boards.
/** @param {CheckedDeal} deal @returns {Finding} */
export function titleOf({ round, attempt, kind }) {
  if (kind === "board") return ["deal_of_board", round];
  return attempt > 1 ? ["deal_again", round, attempt] : ["deal", round];
}

// Return whether only the end of the match is missing.
/** @param {Proof} proof */
export const isUnfinished = ({ match, deals }) =>
  [...match, ...deals.flatMap((deal) => deal.findings)].every(([name]) => name === "not_over" || !MISSING.has(name));

// Return the findings about the match as a whole and about its deals. Throws Unreadable.
/** @param {unknown} data @returns {Promise<Proof>} */
export async function check(data) {
  const events = readEvents(data);
  const [start] = events;
  const game = gameOf(start);
  const match = [
    ...wholeFindings(/** @type {Record<string, unknown>} */ (data), events, game),
    ...(start.source ? await boardFindings(start) : await nonceFindings(start)),
    ...orderFindings(events),
  ];
  const { findings, keys } = await keyFindings(events);
  match.push(...findings);
  const dealer = new Dealer(start, game, keys);
  for (const event of events) if (dealer.findingCount < MAX_FINDINGS) await dealer.check(event);
  if (!dealer.deals.length) match.push(["nothing_dealt"]);
  return { match: [...match, ...dealer.findings], deals: dealer.deals };
}

/** @param {Record<string, unknown>} data @param {Events} events @param {Game} game */
function wholeFindings(data, events, game) {
  /** @type {Finding[]} */
  const findings = [];
  if (events.some((event) => !isNumber(event.seq) || event.seq !== event.place)) findings.push(["numbers"]);
  const { tiles } = data;
  if (!Array.isArray(tiles) || !isSame(tiles, game.tiles)) findings.push(["set"]);
  for (const name of /** @type {const} */ (["match", "rules_version"])) {
    if (data[name] !== events[0][name]) findings.push(["other_name", name]);
  }
  return findings;
}

/** @param {unknown[]} one @param {unknown[]} other */
const isSame = (one, other) => one.length === other.length && one.every((value, place) => value === other[place]);

// What the deals follow from, together with the secret: a match has its name and nonces, a board those of its set.
/** @param {MatchStarted} start */
function dealSource({ match, nonces, source, first, entropy }) {
  return source ? { name: source, first, nonces: [entropy] } : { name: match, first: 1, nonces };
}

/** @param {MatchStarted} start */
const hasBotSeats = ({ seats, bots }) =>
  bots.every((seat, place) => seat >= 0 && seat < seats && (!place || bots[place - 1] < seat));

// Check the fields of a board. Nonces of its own would let its players choose among deals.
/** @param {MatchStarted} start @returns {Promise<Finding[]>} */
async function boardFindings(start) {
  const { nonces, nonce_commitments: commitments, source, first, entropy } = start;
  /** @type {Finding[]} */
  const findings = [["board", first, source]];
  if (first < 1 || !isDigest(entropy)) findings.push(["board_fields"]);
  if (nonces.length || commitments.length) findings.push(["board_nonces"]);
  if (!hasBotSeats(start)) findings.push(["bot_seats"]);
  if (entropy === (await nonceFingerprint(""))) findings.push(["no_nonces"]);
  return findings;
}

// Check which seats gave a nonce, and whether it is the one they had committed to.
/** @param {MatchStarted} start @returns {Promise<Finding[]>} */
async function nonceFindings(start) {
  const { seats, nonces, nonce_commitments: commitments, bots } = start;
  /** @type {Finding[]} */
  const findings = [];
  if (start.first !== 1 || start.entropy) findings.push(["board_fields"]);
  if (nonces.length !== seats) findings.push(["nonce_count"]);
  if (!commitments.length) {
    if (bots.length) findings.push(["bots_alone"]);
    return [...findings, ["no_commitments"]];
  }
  if (commitments.length !== seats) findings.push(["promise_count"]);
  if (!hasBotSeats(start)) findings.push(["bot_seats"]);
  for (let seat = 0; seat < Math.max(nonces.length, commitments.length); seat += 1) {
    const [nonce, commitment] = [nonces[seat] ?? "", commitments[seat] ?? ""];
    if (bots.includes(seat)) {
      if (nonce || commitment) findings.push(["bot_nonce", seat + 1]);
    } else if (nonce) {
      if ((await nonceFingerprint(nonce)) !== commitment) findings.push(["nonce", seat + 1]);
    } else if (commitment) findings.push([isDigest(commitment) ? "not_opened" : "promise", seat + 1]);
  }
  if (!nonces.some(Boolean)) findings.push(["no_nonces"]);
  return findings;
}

/** @type {Record<RecordEvent["kind"], string>} */
const LETTERS = {
  match_started: "S",
  deal_voided: "v",
  round_dealt: "d",
  played: "m",
  drew: "m",
  passed: "m",
  // players may leave and return at any time
  seat_held: "",
  seat_returned: "",
  seat_forfeited: "",
  round_ended: "e",
  key_revealed: "k",
  match_ended: "x",
  secret_revealed: "s",
};
// The order of events: rounds, with void deals before them and their key after them, and an end (f after the last
// round, x otherwise).
const RUNNING = /^S(?:v*dm*ek)*(?:xs?|v*(?:dm*(?:xk?s?|e(?:fk?s?)?)?)?)?/;
const OVER = /^S(?:v*dm*ek)*(?:xs|v*dm*(?:xks|efks))$/;

/** @param {Events} events @returns {Finding[]} */
function orderFindings(events) {
  /** @param {RecordEvent} event */
  const isFinish = (event) => event.kind === "match_ended" && event.reason === "finished";
  const letters = events.map((event) => (isFinish(event) ? "f" : LETTERS[event.kind])).join("");
  const reached = letters.match(RUNNING)?.[0].length ?? 0;
  const ordered = events.filter((event) => LETTERS[event.kind]);
  if (reached < ordered.length) return [["order", events.indexOf(ordered[reached]) + 1]];
  if (OVER.test(letters)) return [];
  return [[/[xf]/.test(letters) ? "secret_missing" : "not_over"]];
}

// Every round has one key, derived from the secret.
/** @param {Events} events */
async function keyFindings(events) {
  const { commitment } = events[0];
  const { name, first } = dealSource(events[0]);
  /** @type {Map<number, string>} */
  const keys = new Map();
  /** @type {Finding[]} */
  const findings = [];
  let number = 0;
  for (const event of events) {
    if (event.kind === "round_dealt") number += 1;
    if (event.kind === "key_revealed") {
      const { round, key } = event;
      if (round !== number || keys.has(number)) findings.push(["key_twice", round]);
      if (!keys.has(round)) keys.set(round, key);
    }
    if (event.kind !== "secret_revealed") continue;
    const { secret } = event;
    if ((await fingerprint(secret)) !== commitment) findings.push(["secret"]);
    for (const [round, key] of keys) {
      if ((await roundKey(secret, name, first + round - 1)) !== key) findings.push(["key_of_round", round]);
    }
  }
  return { findings, keys };
}

// Deals the match again, round by round, and compares.
class Dealer {
  /** @type {CheckedDeal[]} */
  deals = [];
  /** @type {Finding[]} */
  findings = [];
  #number = 1;
  #attempt = 1;
  /** @type {PlayedRound | null} */
  #round = null;
  /** @type {number | null} */
  #nextLead = null;

  get findingCount() {
    return this.deals.reduce((sum, { findings }) => sum + findings.length, this.findings.length);
  }

  /** @param {MatchStarted} start @param {Game} game @param {Map<number, string>} keys */
  constructor(start, game, keys) {
    this.start = start;
    this.game = game;
    this.keys = keys;
  }

  /** @param {RecordEvent} event */
  async check(event) {
    const { kind } = event;
    if (kind === "deal_voided" || kind === "round_dealt") await this.#deal(event);
    else if (!this.#round) return;
    else if (kind === "round_ended") this.#end(event, this.#round);
    else if (kind === "played" || kind === "drew" || kind === "passed")
      this.findings.push(...this.#round.apply(event));
  }

  /** @param {Dealt} event */
  async #deal(event) {
    const { round, attempt, kind } = event;
    const key = this.keys.get(this.#number);
    /** @type {Finding[]} */
    const findings = round === this.#number && attempt === this.#attempt ? [] : [["due", this.#number, this.#attempt]];
    if (key) findings.push(...(await this.#compare(event, key)));
    else findings.push(["key_missing"]);
    this.deals.push({ round, attempt, kind, findings });
    if (event.kind === "deal_voided") {
      this.#attempt += 1;
      this.#round = null;
    } else {
      [this.#number, this.#attempt] = [this.#number + 1, 1];
      this.#round = new PlayedRound(event, this.start.seats, this.game.draws);
    }
  }

  /** @param {string} key @param {number} attempt */
  #order(key, attempt) {
    const { name, first, nonces } = dealSource(this.start);
    return shuffled(this.game.tiles.length, randomWords(key, name, first + this.#number - 1, attempt, nonces));
  }

  // Compare a deal with the correct one: all tiles, the sizes, whether it is void, who leads.
  /** @param {Dealt} event @param {string} key @returns {Promise<Finding[]>} */
  async #compare(event, key) {
    /** @type {Finding[]} */
    const findings = (await fingerprint(key)) === event.commitment ? [] : [["key"]];
    const right = this.#correctDeal(await this.#order(key, this.#attempt));
    findings.push(...tileFindings(event, right));
    const isVoid = this.game.isVoid(right.hands, right.start);
    if (event.kind === "deal_voided") {
      if (!isVoid || event.rule !== this.game.voidRule) findings.push(["not_void"]);
      return findings;
    }
    if (isVoid) findings.push(["void"]);
    return [...findings, ...(await this.#leadFindings(event, right, key))];
  }

  /** @param {RoundDealt} event @param {CorrectDeal} right @param {string} key */
  async #leadFindings(event, right, key) {
    /** @type {number[]} */
    let lots = [];
    let drawn = 0;
    /** @param {number[]} seats */
    const lot = (seats) => {
      lots = seats;
      return seats[drawn];
    };
    let lead = this.game.lead(right.hands, this.#nextLead, lot);
    if (lots.length) {
      drawn = (await this.#order(key, 0)).find((index) => index < lots.length) ?? 0;
      lead = this.game.lead(right.hands, this.#nextLead, lot);
    }
    /** @type {Finding[]} */
    const findings = isSame(event.lots, lots) ? [] : [["lots"]];
    if (event.to_move !== lead.seat) findings.push(["lead", lead.seat + 1, event.to_move + 1]);
    if (!isSame(event.must_lead, lead.tiles) || event.rule !== lead.rule) findings.push(["lead_tiles"]);
    return findings;
  }

  // Return the deal of this order. Among the tiles placed at the start, the second copy of a tile lies turned. From
  // version 2 of the rules on, the last one is turned once more if the first tile dealt is a second copy.
  /** @param {number[]} order @returns {CorrectDeal} */
  #correctDeal(order) {
    const { tiles, cells, hasBoneyard } = this.game;
    const { seats, options } = this.start;
    const size = this.game.handSize(seats, Object.fromEntries(options));
    const right = order.map((index) => tiles[index]);
    const hands = Array.from({ length: seats }, (_, seat) => right.slice(size * seat, size * (seat + 1)));
    const rest = right.slice(size * seats, right.length - cells.length);
    /** @param {number} index */
    const isSecondCopy = (index) => tiles.indexOf(tiles[index]) !== index;
    const isOnceMore = this.start.rules_version > 1 && isSecondCopy(order[0]);
    const start = order.slice(order.length - cells.length).map((index, place) => {
      const isTurned = isSecondCopy(index) !== (isOnceMore && place === cells.length - 1);
      return isTurned ? partsOf(tiles[index]).reverse().join("-") : tiles[index];
    });
    const laid = start.map((tile, place) => `${cells[place]}=${tile}`);
    return { hands, start, heaps: [...hands, hasBoneyard ? rest : [], hasBoneyard ? [] : rest, laid] };
  }

  /** @param {RoundEnded} event @param {PlayedRound} played */
  #end({ round, reason, lead, place }, played) {
    if (played.turn !== null) this.findings.push(["not_ended", place]);
    if (round !== this.#number - 1) this.findings.push(["other_round", place]);
    this.#nextLead = this.game.nextLead(played);
    if (lead !== (reason === "target" ? null : this.#nextLead)) this.findings.push(["next_lead", place]);
  }
}

/** @param {string[][]} heaps */
const sizesOf = (heaps) => heaps.map((heap) => heap.length);

/** @param {Dealt} deal @param {CorrectDeal} right @returns {Finding[]} */
function tileFindings({ hands, boneyard, aside, start }, { heaps }) {
  const dealt = [...hands, boneyard, aside, start];
  if (!isSame(sizesOf(dealt), sizesOf(heaps))) return [["sizes"]];
  const [tiles, right] = [dealt.flat(), heaps.flat()];
  /** @type {Finding[]} */
  const findings = right.flatMap((tile, place) =>
    tiles[place] === tile ? [] : [["tile", place + 1, tiles[place], tile]],
  );
  return findings.length > right.length / 2 ? [["shuffle", findings.length, right.length]] : findings;
}
