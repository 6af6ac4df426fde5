// Wraps the two storages of the browser, for JSON values. A browser may forbid, lack or have filled a storage: values
// then last as long as the page. Other modules do not use the storages directly (biome.jsonc).

function storage(area) {
  const unsaved = new Map();
  return {
    // Return a value, null if there is none.
    get(key) {
      if (unsaved.has(key)) return unsaved.get(key);
      try {
        return JSON.parse(window[area].getItem(key));
      } catch {
        return null;
      }
    },
    set(key, value) {
      unsaved.delete(key);
      try {
        window[area].setItem(key, JSON.stringify(value));
      } catch {
        unsaved.set(key, value);
      }
    },
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
