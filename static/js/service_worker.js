// Shows push notifications and opens the pages they are about. It stores nothing and handles no requests of pages.

const ICON = "/static/img/icon-192.png";

const openPages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

// A visible page shows the news itself, at the latest with its next poll.
async function notify({ title, body, path, tag, lang }) {
  if ((await openPages()).some((page) => page.visibilityState === "visible")) return;
  await self.registration.showNotification(title, { body, tag, lang, icon: ICON, data: { path }, renotify: true });
}

async function openPage(path) {
  const address = new URL(path, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const page = (await openPages()).find((page) => new URL(page.url).pathname === address.pathname);
  await (page ? page.focus() : self.clients.openWindow(address.href));
}

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
