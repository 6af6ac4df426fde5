// Checks the record of a match, in the browser and for verify_deal.mjs. A finding is a list of the name of a phrase
// and its values; people count seats from 1.

import { partsOf } from "./deal_rules.js";
import { PlayedRound } from "./played_round.js";
import { gameOf, isDigest, isNumber, readEvents } from "./record.js";
import { fingerprint, nonceFingerprint, randomWords, roundKey, shuffled } from "./shuffle.js";

const MAX_FINDINGS = 200; // no more deals and moves are checked after this many
const MISSING = new Set(["secret_missing", "key_missing", "not_over", "nothing_dealt"]);
const LIMITS = new Set(["no_commitments", "no_nonces"]);
const NOTES = new Set(["not_opened"]);
export const isWrong = ([name]) => !MISSING.has(name) && !LIMITS.has(name) && !NOTES.has(name);

// Return "unfair", "unchecked", "limited" or "fair".
export function verdict({ match, deals }) {
  const all = [...match, ...deals.flatMap((deal) => deal.findings)];
  if (all.some(isWrong)) return "unfair";
  if (all.some(([name]) => MISSING.has(name))) return "unchecked";
  return all.some(([name]) => LIMITS.has(name)) ? "limited" : "fair";
}

// Return whether only the end of the match is missing.
export const isUnfinished = ({ match, deals }) =>
  [...match, ...deals.flatMap((deal) => deal.findings)].every(([name]) => name === "not_over" || !MISSING.has(name));

// Return the findings about the match as a whole and about its deals. Throws Unreadable.
export async function check(data) {
  const events = readEvents(data);
  const [start] = events;
  const game = gameOf(start);
  const match = [...wholeFindings(data, events, game), ...(await nonceFindings(start)), ...orderFindings(events)];
  const { findings, keys } = await keyFindings(events);
  match.push(...findings);
  const dealer = new Dealer(start, game, keys);
  for (const event of events) if (dealer.findingCount < MAX_FINDINGS) await dealer.take(event);
  if (!dealer.deals.length) match.push(["nothing_dealt"]);
  return { match: [...match, ...dealer.findings], deals: dealer.deals };
}

function wholeFindings(data, events, game) {
  const findings = [];
  if (events.some((event) => !isNumber(event.seq) || event.seq !== event.place)) findings.push(["numbers"]);
  const { tiles } = data;
  if (!Array.isArray(tiles) || !isSame(tiles, game.tiles)) findings.push(["set"]);
  for (const name of ["match", "rules_version"]) {
    if (data[name] !== events[0][name]) findings.push(["other_name", name]);
  }
  return findings;
}

const isSame = (one, other) => one.length === other.length && one.every((value, place) => value === other[place]);

// Check which seats gave a nonce, and whether it is the one they had committed to.
async function nonceFindings({ seats, nonces, nonce_commitments: commitments, bots }) {
  const findings = [];
  if (nonces.length !== seats) findings.push(["nonce_count"]);
  if (!commitments.length) return [...findings, ...(bots.length ? [["bots_alone"]] : []), ["no_commitments"]];
  if (commitments.length !== seats) findings.push(["promise_count"]);
  const isAscending = bots.every((seat, place) => seat >= 0 && seat < seats && (!place || bots[place - 1] < seat));
  if (!isAscending) findings.push(["bot_seats"]);
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

function orderFindings(events) {
  const isFinish = ({ kind, reason }) => kind === "match_ended" && reason === "finished";
  const letters = events.map((event) => (isFinish(event) ? "f" : LETTERS[event.kind])).join("");
  const reached = letters.match(RUNNING)?.[0].length ?? 0;
  const ordered = events.filter((event) => LETTERS[event.kind]);
  if (reached < ordered.length) return [["order", events.indexOf(ordered[reached]) + 1]];
  if (OVER.test(letters)) return [];
  return [[/[xf]/.test(letters) ? "secret_missing" : "not_over"]];
}

// Every round has one key, derived from the secret.
async function keyFindings(events) {
  const [{ match, commitment }] = events;
  const keys = new Map();
  const findings = [];
  let number = 0;
  for (const { kind, round, key, secret } of events) {
    if (kind === "round_dealt") number += 1;
    if (kind === "key_revealed") {
      if (round !== number || keys.has(number)) findings.push(["key_twice", round]);
      if (!keys.has(round)) keys.set(round, key);
    }
    if (kind !== "secret_revealed") continue;
    if ((await fingerprint(secret)) !== commitment) findings.push(["secret"]);
    for (const [keyRound, revealedKey] of keys) {
      if ((await roundKey(secret, match, keyRound)) !== revealedKey) findings.push(["key_of_round", keyRound]);
    }
  }
  return { findings, keys };
}

// Deals the match again, round by round, and compares.
class Dealer {
  deals = [];
  findings = [];
  #number = 1;
  #attempt = 1;
  #round = null;
  #nextLead = null;

  get findingCount() {
    return this.deals.reduce((sum, { findings }) => sum + findings.length, this.findings.length);
  }

  constructor(start, game, keys) {
    Object.assign(this, { start, game, keys });
  }

  async take(event) {
    const { kind } = event;
    if (kind === "deal_voided" || kind === "round_dealt") await this.#deal(event);
    else if (!this.#round) return;
    else if (kind === "round_ended") this.#end(event);
    else if (kind === "played" || kind === "drew" || kind === "passed") this.findings.push(...this.#round.take(event));
  }

  async #deal(event) {
    const { round, attempt, kind } = event;
    const key = this.keys.get(this.#number);
    const findings = round === this.#number && attempt === this.#attempt ? [] : [["due", this.#number, this.#attempt]];
    findings.push(...(key ? await this.#compare(event, key) : [["key_missing"]]));
    this.deals.push({ round, attempt, kind, findings });
    const isVoid = kind === "deal_voided";
    [this.#number, this.#attempt] = isVoid ? [this.#number, this.#attempt + 1] : [this.#number + 1, 1];
    this.#round = isVoid ? null : new PlayedRound(event, this.start.seats, this.game.draws);
  }

  #order(key, attempt) {
    const { match, nonces } = this.start;
    return shuffled(this.game.tiles.length, randomWords(key, match, this.#number, attempt, nonces));
  }

  // Compare a deal with the correct one: all tiles, the sizes, whether it is void, who leads.
  async #compare(event, key) {
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

  async #leadFindings(event, right, key) {
    let lots = [];
    let drawn = 0;
    const lot = (seats) => {
      lots = seats;
      return seats[drawn];
    };
    let lead = this.game.lead(right.hands, this.#nextLead, lot);
    if (lots.length) {
      drawn = (await this.#order(key, 0)).find((index) => index < lots.length);
      lead = this.game.lead(right.hands, this.#nextLead, lot);
    }
    const findings = isSame(event.lots, lots) ? [] : [["lots"]];
    if (event.to_move !== lead.seat) findings.push(["lead", lead.seat + 1, event.to_move + 1]);
    if (!isSame(event.must_lead, lead.tiles) || event.rule !== lead.rule) findings.push(["lead_tiles"]);
    return findings;
  }

  // Return the deal of this order. Among the tiles placed at the start, the second copy of a tile lies turned. From
  // version 2 of the rules on, the last one is turned once more if the first tile dealt is a second copy.
  #correctDeal(order) {
    const { tiles, cells, hasBoneyard } = this.game;
    const { seats, options } = this.start;
    const size = this.game.handSize(seats, Object.fromEntries(options));
    const right = order.map((index) => tiles[index]);
    const hands = Array.from({ length: seats }, (_, seat) => right.slice(size * seat, size * (seat + 1)));
    const rest = right.slice(size * seats, right.length - cells.length);
    const isSecondCopy = (index) => tiles.indexOf(tiles[index]) !== index;
    const isOnceMore = this.start.rules_version > 1 && isSecondCopy(order[0]);
    const start = order.slice(order.length - cells.length).map((index, place) => {
      const isTurned = isSecondCopy(index) !== (isOnceMore && place === cells.length - 1);
      return isTurned ? partsOf(tiles[index]).reverse().join("-") : tiles[index];
    });
    const laid = start.map((tile, place) => `${cells[place]}=${tile}`);
    return { hands, start, heaps: [...hands, hasBoneyard ? rest : [], hasBoneyard ? [] : rest, laid] };
  }

  #end({ round, reason, lead, place }) {
    if (this.#round.turn !== null) this.findings.push(["not_ended", place]);
    if (round !== this.#number - 1) this.findings.push(["other_round", place]);
    this.#nextLead = this.game.nextLead(this.#round);
    if (lead !== (reason === "target" ? null : this.#nextLead)) this.findings.push(["next_lead", place]);
  }
}

const sizesOf = (heaps) => heaps.map((heap) => heap.length);

function tileFindings({ hands, boneyard, aside, start }, { heaps }) {
  const dealt = [...hands, boneyard, aside, start];
  if (!isSame(sizesOf(dealt), sizesOf(heaps))) return [["sizes"]];
  const [tiles, right] = [dealt.flat(), heaps.flat()];
  const findings = right.flatMap((tile, place) =>
    tiles[place] === tile ? [] : [["tile", place + 1, tiles[place], tile]],
  );
  return findings.length > right.length / 2 ? [["shuffle", findings.length, right.length]] : findings;
}
