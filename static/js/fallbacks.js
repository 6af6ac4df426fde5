// @ts-check
// Fallbacks for interfaces that a browser may lack. An exception at the top of a module would stop every module after
// it, so no other module uses them directly (biome.jsonc).

/** @param {string} text @returns {{ matches: boolean }} */
export const mediaQuery = (text) => window.matchMedia?.(text) ?? { matches: false };

export const reducedMotion = mediaQuery("(prefers-reduced-motion: reduce)");

/** @param {Element} element @param {() => void} callback */
export function onResize(element, callback) {
  if (window.ResizeObserver) new window.ResizeObserver(callback).observe(element);
  else window.addEventListener("resize", callback);
}

// Return when the page began to arrive, by performance.now(); the current time if that is unknown.
export function arrival() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType?.("navigation") ?? []);
  return entry?.responseStart || performance.now();
}
