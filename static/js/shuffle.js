// The shuffle of a fair deal, as the page about fair dealing specifies it, by the browser's own WebCrypto.

const encoder = new TextEncoder();
const BLOCK = 32;
const WORD = 4;
const SPACE = 2 ** 32;

export const bytesOf = (hex) => {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new TypeError("no hexadecimal text");
  return Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
};
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function fingerprint(hex) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(hex))));
}

export async function nonceFingerprint(nonce) {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(nonce))));
}

// HMAC-SHA256 over texts, each in UTF-8 and preceded by its length in bytes (4 bytes, big-endian).
async function mac(hex, ...fields) {
  const parts = fields.map((field) => encoder.encode(field));
  const message = new Uint8Array(parts.reduce((size, part) => size + WORD + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(message.buffer).setUint32(at, part.length);
    message.set(part, at + WORD);
    at += WORD + part.length;
  }
  const key = await crypto.subtle.importKey("raw", bytesOf(hex), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

export async function roundKey(secret, match, round) {
  return hexOf(await mac(secret, "round", match, String(round)));
}

export async function* randomWords(key, match, round, attempt, nonces) {
  for (let block = 0; ; block += 1) {
    const fields = ["deal", match, ...[round, attempt, block, nonces.length].map(String), ...nonces];
    const digest = new DataView((await mac(key, ...fields)).buffer);
    for (let at = 0; at < BLOCK; at += WORD) yield digest.getUint32(at);
  }
}

// Fisher-Yates from the end; words of the incomplete last run are rejected, so that no order is favoured.
export async function shuffled(count, words) {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last -= 1) {
    const size = last + 1;
    let word;
    do word = (await words.next()).value;
    while (word >= SPACE - (SPACE % size));
    [order[last], order[word % size]] = [order[word % size], order[last]];
  }
  return order;
}
