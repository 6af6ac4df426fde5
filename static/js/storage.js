// @ts-check
// Wraps the two storages of the browser, for JSON values. A browser may forbid, lack or have filled a storage: values
// then last as long as the page. Other modules do not use the storages directly (biome.jsonc).

/** @param {"localStorage" | "sessionStorage"} area */
function storage(area) {
  /** @type {Map<string, unknown>} */
  const unsaved = new Map();
  return {
    /**
     * Return a value, null if there is none. The caller knows its type.
     * @template [T=unknown]
     * @param {string} key
     * @returns {T | null}
     */
    get(key) {
      if (unsaved.has(key)) return /** @type {T} */ (unsaved.get(key));
      try {
        return JSON.parse(window[area].getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    /** @param {string} key @param {unknown} value */
    set(key, value) {
      unsaved.delete(key);
      try {
        window[area].setItem(key, JSON.stringify(value));
      } catch {
        unsaved.set(key, value);
      }
    },
    /** @param {string} key */
    remove(key) {
      unsaved.delete(key);
      try {
        window[area].removeItem(key);
      } catch {
        // Nothing was stored.
      }
    },
  };
}

export const forBrowser = storage("localStorage");
export const forTab = storage("sessionStorage");
