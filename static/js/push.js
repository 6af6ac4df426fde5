// Turns notifications on and off for this browser. It belongs to a session: both the browser and the site must say so.

const box = document.getElementById("push");
const form = box.querySelector("form");
const said = document.getElementById("push-said");
const [start, stop] = form.querySelectorAll("button");
const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function say(key) {
  said.textContent = said.dataset[key] ?? "";
}

function show(on) {
  start.hidden = on;
  stop.hidden = !on;
}

async function subscription() {
  // A browser that stores nothing refuses both.
  const registration = await navigator.serviceWorker.getRegistration("/").catch(() => null);
  return registration?.pushManager.getSubscription().catch(() => null);
}

async function tell(address, fields = {}) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const answer = await fetch(address, { method: "POST", body, redirect: "manual" });
  if (!answer.ok) throw new Error(`the site answered ${answer.status}`);
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return say("denied");
  await navigator.serviceWorker.register(box.dataset.worker, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // of another person, or by a former key of the site
  const options = { userVisibleOnly: true, applicationServerKey: box.dataset.key };
  const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON();
  await tell(form.action, { endpoint, ...keys });
  show(true);
  say("on");
}

async function turnOff() {
  await tell(form.dataset.end);
  await (await subscription())?.unsubscribe();
  show(false);
  say("off");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  start.disabled = stop.disabled = true;
  say("");
  try {
    await (event.submitter === stop ? turnOff() : turnOn());
  } catch {
    say("failed");
  }
  start.disabled = stop.disabled = false;
});

async function begin() {
  const on = able && "on" in box.dataset && Boolean(await subscription());
  box.hidden = "briefly" in box.dataset && (on || !able);
  form.hidden = !able;
  show(on);
  if (!able) say("none");
}

begin();
