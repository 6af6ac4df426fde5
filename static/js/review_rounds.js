// Loads the steps of a match in review, a round per request, and caches them while the page is open.

const rounds = new Map(); // rounds by perspective and first step
const requests = new Map(); // pending requests by perspective and step

export const review = () => document.getElementById("review");
const keyOf = (as, first) => `${as} ${first}`;

// Return the cached round of a step, undefined if there is none.
export function roundOf(at, as) {
  return [...rounds.values()].find(
    (round) => round.as === as && round.first <= at && at < round.first + round.frames.length,
  );
}

// Fetch the round of a step, even if an older version is cached. Rejects if it cannot be loaded.
export function fetchRound(at, as) {
  const key = keyOf(as, at);
  const request = requests.get(key) ?? load(at, as).finally(() => requests.delete(key));
  requests.set(key, request);
  return request;
}

async function load(at, as) {
  const response = await fetch(`${review().dataset.frames}?${new URLSearchParams({ at, as })}`);
  if (!response.ok) throw new Error(`${response.status}`);
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
export async function fetchNeighbours({ first, frames, last, as }) {
  for (const at of [first + frames.length, first - 1]) {
    if (at >= 1 && at <= last && !roundOf(at, as)) await fetchRound(at, as).catch(() => {});
  }
}
