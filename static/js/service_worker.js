// @ts-check
// Shows push notifications and opens the pages they are about. While the site cannot be reached, it shows a page that
// says so. It stores only that page, as a visitor without cookies gets it, and its style sheet.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ICON = "/static/img/icon-192.png";
const OFFLINE_PAGE = "/offline/";
const OFFLINE_STYLES = "/static/pages/site.css";
const OFFLINE_CACHE = "offline";

/** @typedef {{ title: string, body: string, path: string, tag: string, lang: string }} PushMessage */

const openPages = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

// Show a notification, unless a page is visible: it shows the change itself, at the latest with its next poll.
/** @param {PushMessage} message */
async function notify({ title, body, path, tag, lang }) {
  if ((await openPages()).some((page) => page.visibilityState === "visible")) return;
  const options = { body, tag, lang, icon: ICON, data: { path }, renotify: true };
  await worker.registration.showNotification(title, options);
}

/** @param {string} path */
async function openPage(path) {
  const address = new URL(path, worker.location.origin);
  if (address.origin !== worker.location.origin) return;
  const page = (await openPages()).find((page) => new URL(page.url).pathname === address.pathname);
  await (page ? page.focus() : worker.clients.openWindow(address.href));
}

async function storeOfflinePage() {
  const requests = [OFFLINE_PAGE, OFFLINE_STYLES].map(
    (address) => new Request(address, { credentials: "omit", cache: "reload" }),
  );
  await (await worker.caches.open(OFFLINE_CACHE)).addAll(requests);
}

// Answer from the site, or with what is stored if it cannot be reached.
/** @param {Request} request @param {string} stored */
async function answer(request, stored) {
  try {
    return await fetch(request);
  } catch {
    return (await worker.caches.match(stored)) ?? Response.error();
  }
}

worker.addEventListener("install", (event) => event.waitUntil(storeOfflinePage()));

// Forms are left to the browser, which states to the site from which page they come.
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(answer(request, OFFLINE_PAGE));
  else if (new URL(request.url).pathname === OFFLINE_STYLES) event.respondWith(answer(request, OFFLINE_STYLES));
});

worker.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
