// Shows what the site pushes, and leads to the page it is about. It keeps nothing and answers no request of a page.

const ICON = "/static/img/icon-192.png";

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

// A page in sight has told already, or will with its next look.
async function show({ title, body, path, tag, lang }) {
  if ((await pages()).some((page) => page.visibilityState === "visible")) return;
  await self.registration.showNotification(title, { body, tag, lang, icon: ICON, data: { path }, renotify: true });
}

async function go(path) {
  const address = new URL(path, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const open = (await pages()).find((page) => new URL(page.url).pathname === address.pathname);
  await (open ? open.focus() : self.clients.openWindow(address.href));
}

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(go(event.notification.data.path));
});
