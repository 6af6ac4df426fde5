// @ts-check
// Interfaces that a browser may lack or forbid, each with a fallback. An exception at the top of a module would stop
// every module after it, so no other module uses them directly (tests/static/js/test_interfaces.py).

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

// The two storages of the browser, for JSON values. Where one is forbidden, missing or full, values last as long as the
// page.
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

// Share sheet and clipboard

export const canShare = () => Boolean(navigator.share);

/** @param {ShareData} content */
export async function share(content) {
  await navigator.share?.(content).catch(() => {}); // closing the sheet rejects; that needs no message
}

// Return whether a text was copied.
/** @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Screen, sound and vibration

// Return a lock that keeps the screen awake, null if the browser refuses, for example because the battery is low.
export const requestWakeLock = async () => (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;

export const canFullScreen = () => Boolean(document.fullscreenEnabled);
export const isFullScreen = () => Boolean(document.fullscreenElement);

export function toggleFullScreen() {
  if (isFullScreen()) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.()?.catch(() => {});
}

export const newAudioContext = () => (window.AudioContext ? new window.AudioContext() : null);

// Browsers block vibration, with a warning, until somebody has tapped on the page.
/** @param {number} milliseconds */
export function vibrate(milliseconds) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(milliseconds);
}

// Elements

/** @param {Element} element @param {Keyframe[] | PropertyIndexedKeyframes} path @param {KeyframeAnimationOptions} timing */
export const animate = (element, path, timing) => element.animate?.(path, timing);

/** @param {Element} element */
export const animationsIn = (element) => element.getAnimations?.({ subtree: true }) ?? [];

export const hasPopovers = () => "popover" in HTMLElement.prototype;

// Move a child of an element without resetting its state, where the browser can.
/** @param {Element} parent @param {Element} child @param {Element | null} before */
export function moveChild(parent, child, before) {
  if (parent.moveBefore) parent.moveBefore(child, before);
  else parent.insertBefore(child, before);
}

// Install the site's worker in an installed app. A browser without storage refuses.
/** @param {string} worker */
export function installWorkerOfApp(worker) {
  if (mediaQuery("(display-mode: standalone)").matches && "serviceWorker" in navigator) {
    navigator.serviceWorker.register(worker, { scope: "/" }).catch(() => undefined);
  }
}

// Push notifications

export const canNotify = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

// Ask the reader for permission, and return whether it was granted.
export const askToNotify = async () => (await window.Notification.requestPermission()) === "granted";

// Return the browser's subscription. A browser without storage rejects both calls.
export async function pushSubscription() {
  const registration = await navigator.serviceWorker.getRegistration("/").catch(() => null);
  return (await registration?.pushManager.getSubscription().catch(() => null)) ?? null;
}

// Subscribe this browser with the site's worker and public key, in place of a former subscription.
/** @param {string} worker @param {string} key */
export async function subscribe(worker, key) {
  await navigator.serviceWorker.register(worker, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  // left from another person or from a former key of the site
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

// Without https a browser cannot compute fingerprints.
export const hasFingerprints = () => Boolean(window.crypto?.subtle);
