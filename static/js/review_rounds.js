// @ts-check
// Loads the steps of a match in review, a round per request, and caches them while the page is open.

import { data, getById } from "./dom.js";

/**
 * @typedef {object} Round the steps of a round, as seen from a perspective
 * @property {string} perspective a seat, "open" (all hands) or "public" (no hands)
 * @property {Record<string, string>[]} frames the markup of the page's parts at each step
 * @property {number} first the first step of the round
 * @property {number} last the last step of the match
 * @property {number[]} roundStarts the first steps of all rounds
 * @property {(number | null)[]} actingSeats the seat that acted in each step
 * @property {boolean} [running] whether the match still goes on
 */

/** @type {Map<string, Round>} rounds by perspective and first step */
const rounds = new Map();
/** @type {Map<string, Promise<Round>>} pending requests by perspective and step */
const requests = new Map();

export const review = () => getById("review");
/** @param {string} perspective @param {number} step */
const keyOf = (perspective, step) => `${perspective} ${step}`;

// Return the cached round of a step, undefined if there is none.
/** @param {number} step @param {string} perspective */
export function roundOf(step, perspective) {
  return [...rounds.values()].find(
    (round) => round.perspective === perspective && round.first <= step && step < round.first + round.frames.length,
  );
}

// Fetch the round of a step, even if an older version is cached. Rejects if it cannot be loaded.
/** @param {number} step @param {string} perspective */
export function fetchRound(step, perspective) {
  const key = keyOf(perspective, step);
  const request = requests.get(key) ?? load(step, perspective).finally(() => requests.delete(key));
  requests.set(key, request);
  return request;
}

/** @param {number} step @param {string} perspective */
async function load(step, perspective) {
  const query = new URLSearchParams({ at: String(step), as: perspective });
  const response = await fetch(`${data(review()).frames}?${query}`);
  if (!response.ok) throw new Error(`${response.status}`);
  const { rounds: roundStarts, seats: actingSeats, ...rest } = await response.json();
  /** @type {Round} */
  const round = { ...rest, roundStarts, actingSeats, perspective };
  // A frame contains the changes since the previous one; complete them here.
  let complete = {};
  round.frames = round.frames.map((changed) => {
    complete = { ...complete, ...changed };
    return complete;
  });
  rounds.set(keyOf(perspective, round.first), round);
  return round;
}

// Prefetch the neighbouring rounds. Failures are ignored: a round is fetched again when needed.
/** @param {Round} round */
export async function fetchNeighbours({ first, frames, last, perspective }) {
  for (const step of [first + frames.length, first - 1]) {
    if (step >= 1 && step <= last && !roundOf(step, perspective)) await fetchRound(step, perspective).catch(() => {});
  }
}
