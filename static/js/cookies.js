// @ts-check
// Preferences that the browser sends to the server for a year.

/** @param {string} name @param {string} value */
export function remember(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store, and none without https.
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${secure}`;
}
