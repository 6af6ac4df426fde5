// @ts-check
// Shows push notifications and opens the pages they are about. It stores nothing and handles no requests of pages.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ICON = "/static/img/icon-192.png";

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

worker.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
