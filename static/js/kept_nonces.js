// What this browser remembers of its parts in shuffles, newest last. For each table: the commitment it was shown
// before it drew anything, its nonce, whether it was shown that the site has taken that (``shown``), the commitments
// of all seats that it was shown before it opened its own (``given``), that it did (``opened``), and the nonce
// ``before`` this one.

import { forBrowser } from "./storage.js";

const NAME = "dominoes-nonces";
const MOST = 100;

function all() {
  const entries = forBrowser.get(NAME);
  return Array.isArray(entries) ? entries : [];
}

export const keptOf = (slug) => all().filter((entry) => entry?.slug === slug);

export const kept = (slug, commitment) => keptOf(slug).find((entry) => entry.commitment === commitment);

// One table may have several entries only if the site showed several commitments there.
export function keep(entry) {
  const isOther = (other) => other?.slug !== entry.slug || other.commitment !== entry.commitment;
  forBrowser.set(NAME, [...all().filter(isOther), entry].slice(-MOST));
  return entry;
}
