// Interfaces that a browser may lack, with what happens then. One throw at the top of a module would stop every module
// after it, so no other module uses them directly (biome.jsonc).

export const mediaQuery = (text) => window.matchMedia?.(text) ?? { matches: false };

export const reducedMotion = mediaQuery("(prefers-reduced-motion: reduce)");

export function onResize(element, act) {
  if (window.ResizeObserver) new window.ResizeObserver(act).observe(element);
  else window.addEventListener("resize", act);
}

// Return when the page began to arrive, on the time line of performance.now(); where that is not known, now.
export const arrival = () => performance.getEntriesByType?.("navigation")[0]?.responseStart || performance.now();
