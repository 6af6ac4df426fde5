// @ts-check
// The shuffle of a fair deal, as the page about fair dealing specifies it, with the browser's WebCrypto.

const encoder = new TextEncoder();
const BLOCK_BYTES = 32;
const WORD_BYTES = 4;
const WORD_VALUES = 2 ** 32;

/** @param {string} hex */
export const bytesOf = (hex) => {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new TypeError("no hexadecimal text");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
};
/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
export async function fingerprint(hex) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(hex))));
}

/** @param {string} nonce */
export async function nonceFingerprint(nonce) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(nonce))));
}

// The fingerprint of a list of nonces, from which all boards of a set follow.
/** @param {string[]} nonces */
export async function nonceListFingerprint(nonces) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", joined(nonces))));
}

// Encode texts in UTF-8, each preceded by its length in bytes (4 bytes, big-endian).
/** @param {string[]} fields */
function joined(fields) {
  const parts = fields.map((field) => encoder.encode(field));
  const message = new Uint8Array(parts.reduce((size, part) => size + WORD_BYTES + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    new DataView(message.buffer).setUint32(offset, part.length);
    message.set(part, offset + WORD_BYTES);
    offset += WORD_BYTES + part.length;
  }
  return message;
}

// HMAC-SHA256 over texts.
/** @param {string} hex @param {string[]} fields */
async function mac(hex, ...fields) {
  const key = await crypto.subtle.importKey("raw", bytesOf(hex), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(fields)));
}

/** @param {string} secret @param {string} match @param {number} round */
export async function roundKey(secret, match, round) {
  return hexOf(await mac(secret, "round", match, String(round)));
}

/**
 * @param {string} key
 * @param {string} match
 * @param {number} round
 * @param {number} attempt
 * @param {string[]} nonces
 * @returns {AsyncGenerator<number, never>}
 */
export async function* randomWords(key, match, round, attempt, nonces) {
  for (let block = 0; ; block += 1) {
    const fields = ["deal", match, ...[round, attempt, block, nonces.length].map(String), ...nonces];
    const digest = new DataView((await mac(key, ...fields)).buffer);
    for (let offset = 0; offset < BLOCK_BYTES; offset += WORD_BYTES) yield digest.getUint32(offset);
  }
}

// Fisher-Yates from the end; words of the incomplete last range are rejected, so that no order is favoured.
/** @param {number} count @param {AsyncIterator<number>} words */
export async function shuffled(count, words) {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last -= 1) {
    const size = last + 1;
    let word;
    do word = (await words.next()).value;
    while (word >= WORD_VALUES - (WORD_VALUES % size));
    [order[last], order[word % size]] = [order[word % size], order[last]];
  }
  return order;
}
