// @ts-check
// Loads the steps of a match in review, a round per request, and caches them while the page is open.

import { data, getById } from "./dom.js";

/**
 * @typedef {object} Round the steps of a round, as seen from a perspective
 * @property {string} as the perspective
 * @property {Record<string, string>[]} frames the parts of the page at each step
 * @property {number} first
 * @property {number} last the last step of the match
 * @property {number[]} rounds the first steps of all rounds
 * @property {(number | null)[]} seats who acted, by step
 * @property {boolean} [running]
 */

/** @type {Map<string, Round>} rounds by perspective and first step */
const rounds = new Map();
/** @type {Map<string, Promise<Round>>} pending requests by perspective and step */
const requests = new Map();

export const review = () => getById("review");
/** @param {string} as @param {number} first */
const keyOf = (as, first) => `${as} ${first}`;

// Return the cached round of a step, undefined if there is none.
/** @param {number} at @param {string} as */
export function roundOf(at, as) {
  return [...rounds.values()].find(
    (round) => round.as === as && round.first <= at && at < round.first + round.frames.length,
  );
}

// Fetch the round of a step, even if an older version is cached. Rejects if it cannot be loaded.
/** @param {number} at @param {string} as */
export function fetchRound(at, as) {
  const key = keyOf(as, at);
  const request = requests.get(key) ?? load(at, as).finally(() => requests.delete(key));
  requests.set(key, request);
  return request;
}

/** @param {number} at @param {string} as */
async function load(at, as) {
  const response = await fetch(`${data(review()).frames}?${new URLSearchParams({ at: String(at), as })}`);
  if (!response.ok) throw new Error(`${response.status}`);
  /** @type {Round} */
  const round = { ...(await response.json()), as };
  // A frame contains the changes since the previous one; complete them here.
  let complete = {};
  round.frames = round.frames.map((changed) => {
    complete = { ...complete, ...changed };
    return complete;
  });
  rounds.set(keyOf(as, round.first), round);
  return round;
}

// Prefetch the neighbouring rounds. Failures are ignored: a round is fetched again when needed.
/** @param {Round} round */
export async function fetchNeighbours({ first, frames, last, as }) {
  for (const at of [first + frames.length, first - 1]) {
    if (at >= 1 && at <= last && !roundOf(at, as)) await fetchRound(at, as).catch(() => {});
  }
}
