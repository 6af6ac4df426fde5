// The browser's own part of the shuffle: 128 random bits in every empty field made for it.

const bytes = crypto.getRandomValues(new Uint8Array(16));
const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

for (const field of document.querySelectorAll("[data-nonce]")) {
  field.value ||= nonce;
}
