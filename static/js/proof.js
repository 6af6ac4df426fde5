// What holds and what does not in the record of a match: the same checks as verify_deal.py, in the browser.
// A finding is a list: the name of a phrase, then what it speaks of.

import { fingerprint, roundKey, shuffled } from "./shuffle.js";

const FORMAT = 1;

export class Unreadable extends Error {}

export async function check(data) {
  if (data?.format !== FORMAT || !Array.isArray(data.events)) throw new Unreadable();
  try {
    return await checked(data.events, data.tiles);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new Unreadable(error.message);
    throw error;
  }
}

async function checked(events, tiles) {
  if (events[0].kind !== "match_started") throw new Unreadable();
  const keys = new Map(events.filter((event) => event.kind === "key_revealed").map(({ round, key }) => [round, key]));
  const match = [];
  if (events.some((event, place) => event.seq !== place + 1)) match.push(["numbers"]);
  if (!isFullSet(tiles)) match.push(["set"]);
  match.push(...(await secretFindings(events, keys)));
  const deals = [];
  for (const event of events) {
    if (event.kind !== "deal_voided" && event.kind !== "round_dealt") continue;
    const findings = await dealFindings(events[0], event, tiles, keys.get(event.round));
    if (!isDue(deals.at(-1), event)) findings.unshift(["order"]);
    deals.push({ round: event.round, attempt: event.attempt, kind: event.kind, findings });
  }
  return { match: [...match, ...moveFindings(events)], deals };
}

function isDue(before, { round, attempt }) {
  if (!before) return round === 1 && attempt === 1;
  if (before.kind === "deal_voided") return round === before.round && attempt === before.attempt + 1;
  return round === before.round + 1 && attempt === 1;
}

// A whole set in rising order: every combination of its values, each as often.
function isFullSet(tiles) {
  const parts = tiles.map((tile) => tile.split("-").map(Number));
  const rising = parts.every((part, place) => !place || compare(parts[place - 1], part) <= 0);
  const counts = new Map();
  for (const part of parts) {
    const name = [...part].sort((one, other) => one - other).join("-");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const values = new Set(parts.flat()).size;
  const size = parts[0]?.length ?? 0;
  let combinations = 1;
  for (let step = 0; step < size; step += 1) combinations = (combinations * (values + step)) / (step + 1);
  return rising && counts.size === combinations && new Set(counts.values()).size === 1;
}

function compare(one, other) {
  const place = one.findIndex((value, at) => value !== other[at]);
  return place < 0 ? 0 : one[place] - other[place];
}

async function secretFindings(events, keys) {
  const [{ match = "", commitment }] = events;
  const secret = events.find((event) => event.kind === "secret_revealed")?.secret;
  if (!secret) return [["secret_missing"]];
  const findings = [];
  if ((await fingerprint(secret)) !== commitment) findings.push(["secret"]);
  for (const [round, key] of keys) {
    if ((await roundKey(secret, match, round)) !== key) findings.push(["key_of_round", round]);
  }
  return findings;
}

async function dealFindings({ match = "", nonces = [] }, event, tiles, key) {
  if (!key) return [["key_missing"]];
  const findings = [];
  if ((await fingerprint(key)) !== event.commitment) findings.push(["key"]);
  const order = await shuffled(tiles.length, key, match, event.round, event.attempt, nonces);
  findings.push(...tileFindings(event, inOrder(tiles, order, event.start?.length ?? 0)));
  const lots = event.lots ?? [];
  if (lots.length) {
    const drawn = (await shuffled(tiles.length, key, match, event.round, 0, nonces)).find((index) => index < lots.length);
    if (lots[drawn] !== event.to_move) findings.push(["lot"]);
  }
  return findings;
}

// The tiles in dealing order; of the last ones, on the table, the second copy of a tile lies turned.
function inOrder(tiles, order, laid) {
  return order.map((index, place) => {
    const turned = place >= order.length - laid && tiles.indexOf(tiles[index]) !== index;
    return turned ? tiles[index].split("-").reverse().join("-") : tiles[index];
  });
}

function tileFindings(event, right) {
  const laid = (event.start ?? []).map((placement) => placement.split("=")[1]);
  const was = [...event.hands.flat(), ...event.boneyard, ...(event.aside ?? []), ...laid];
  const findings = [];
  for (let place = 0; place < Math.max(was.length, right.length); place += 1) {
    if (was[place] !== right[place]) findings.push(["tile", place + 1, was[place] ?? "–", right[place] ?? "–"]);
  }
  return findings.length > right.length / 2 ? [["shuffle", findings.length, right.length]] : findings;
}

// Every tile drawn was the next of the boneyard, and every tile played was in the hand.
function moveFindings(events) {
  let hands = [];
  let boneyard = [];
  const findings = [];
  for (const { kind, seq, seat, tile, ...deal } of events) {
    if (kind === "round_dealt") [hands, boneyard] = [deal.hands.map((hand) => [...hand]), [...deal.boneyard]];
    if (kind === "drew") {
      if (boneyard.shift() !== tile) findings.push(["drawn", seq, tile]);
      hands[seat].push(tile);
    }
    if (kind === "played") {
      const place = hands[seat].indexOf(tile);
      if (place < 0) findings.push(["played", seq, tile]);
      else hands[seat].splice(place, 1);
    }
  }
  return findings;
}
