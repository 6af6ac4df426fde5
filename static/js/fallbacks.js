// Fallbacks for interfaces that a browser may lack. An exception at the top of a module would stop every module after
// it, so no other module uses them directly (biome.jsonc).

export const mediaQuery = (text) => window.matchMedia?.(text) ?? { matches: false };

export const reducedMotion = mediaQuery("(prefers-reduced-motion: reduce)");

export function onResize(element, callback) {
  if (window.ResizeObserver) new window.ResizeObserver(callback).observe(element);
  else window.addEventListener("resize", callback);
}

// Return when the page began to arrive, by performance.now(); the current time if that is unknown.
export const arrival = () => performance.getEntriesByType?.("navigation")[0]?.responseStart || performance.now();
