// @ts-check
// This browser's nonces and what it has seen of their tables, newest last.

import { forBrowser } from "./fallbacks.js";
import { hexOf } from "./shuffle.js";

/**
 * @typedef {object} Entry
 * @property {string} slug the table
 * @property {string} commitment the site's, shown before the nonce was drawn
 * @property {string} nonce
 * @property {boolean} [shown] whether the site was shown to have taken the nonce
 * @property {string[]} [given] the commitments of all seats shown before the nonce was opened
 * @property {boolean} [opened]
 * @property {string} [before] the nonce that this one replaced
 */

const STORAGE_KEY = "dominoes-nonces";
const MAX_ENTRIES = 100;

export const randomNonce = () => hexOf(crypto.getRandomValues(new Uint8Array(16)));

/** @returns {Entry[]} */
function loadEntries() {
  const entries = forBrowser.get(STORAGE_KEY);
  return Array.isArray(entries) ? entries : [];
}

/** @param {string} slug */
export const entriesOf = (slug) => loadEntries().filter((entry) => entry?.slug === slug);

/** @param {string} slug @param {string} commitment */
export const findEntry = (slug, commitment) => entriesOf(slug).find((entry) => entry.commitment === commitment);

// A table has several entries only if the site showed several commitments there.
/** @param {Entry} entry */
export function saveEntry(entry) {
  /** @param {Entry} other */
  const isOther = (other) => other?.slug !== entry.slug || other.commitment !== entry.commitment;
  forBrowser.set(STORAGE_KEY, [...loadEntries().filter(isOther), entry].slice(-MAX_ENTRIES));
  return entry;
}
