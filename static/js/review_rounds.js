// The steps of a match in review. Those of a round come in one answer, and are kept while the page is open.

const kept = new Map(); // rounds by perspective and first step
const coming = new Map(); // requests under way, by perspective and step

export const review = () => document.getElementById("review");
const keyOf = (as, first) => `${as} ${first}`;

// Return the round of a step if it is here.
export function roundOf(at, as) {
  return [...kept.values()].find((one) => one.as === as && one.first <= at && at < one.first + one.frames.length);
}

// Fetch the round of a step, also where an older one is here. Rejects if it cannot be had.
export function fetchRound(at, as) {
  const key = keyOf(as, at);
  const asked = coming.get(key) ?? ask(at, as).finally(() => coming.delete(key));
  coming.set(key, asked);
  return asked;
}

async function ask(at, as) {
  const answer = await fetch(`${review().dataset.frames}?${new URLSearchParams({ at, as })}`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const round = { ...(await answer.json()), as };
  // A frame brings what differs from the one before; from here on each holds all that it shows.
  let shown = {};
  round.frames = round.frames.map((changed) => {
    shown = { ...shown, ...changed };
    return shown;
  });
  kept.set(keyOf(as, round.first), round);
  return round;
}

// Fetch the rounds beside one, so that nobody waits for them. What cannot be had now is asked for again when needed.
export async function fetchBeside({ first, frames, last, as }) {
  for (const at of [first + frames.length, first - 1]) {
    if (at >= 1 && at <= last && !roundOf(at, as)) await fetchRound(at, as).catch(() => {});
  }
}
