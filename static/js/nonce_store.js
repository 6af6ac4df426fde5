// This browser's nonces and what it has seen of their tables, newest last. An entry holds the table, the site's
// commitment shown before the nonce was drawn, the nonce, whether the site was shown to have taken it (``shown``), the
// commitments of all seats shown before it was opened (``given``), whether it was opened (``opened``), and the nonce
// it replaced (``before``).

import { forBrowser } from "./storage.js";

const STORAGE_KEY = "dominoes-nonces";
const MAX_ENTRIES = 100;

function loadEntries() {
  const entries = forBrowser.get(STORAGE_KEY);
  return Array.isArray(entries) ? entries : [];
}

export const entriesOf = (slug) => loadEntries().filter((entry) => entry?.slug === slug);

export const findEntry = (slug, commitment) => entriesOf(slug).find((entry) => entry.commitment === commitment);

// A table has several entries only if the site showed several commitments there.
export function saveEntry(entry) {
  const isOther = (other) => other?.slug !== entry.slug || other.commitment !== entry.commitment;
  forBrowser.set(STORAGE_KEY, [...loadEntries().filter(isOther), entry].slice(-MAX_ENTRIES));
  return entry;
}
