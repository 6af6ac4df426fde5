// @ts-check
// Turns notifications on and off for this browser. They belong to a session: both the browser and the site must have
// them on.

import { data, findById, getById, query, queryAll } from "./dom.js";
import { askToNotify, canNotify, pushSubscription, subscribe } from "./fallbacks.js";

/** @param {HTMLElement} box */
function offer(box) {
  const form = /** @type {HTMLFormElement} */ (query("form", box));
  const status = getById("push-said");
  const [start, stop] = /** @type {HTMLButtonElement[]} */ (queryAll("button", form));
  const isSupported = canNotify();

  /** @param {"" | "denied" | "failed" | "none" | "off" | "on"} key */
  function showStatus(key) {
    status.textContent = (key && data(status)[key]) ?? "";
  }

  /** @param {boolean} isOn */
  function showButtons(isOn) {
    start.hidden = isOn;
    stop.hidden = !isOn;
  }

  /** @param {string} address @param {Record<string, string | undefined>} [fields] */
  async function post(address, fields = {}) {
    const body = new FormData(form);
    for (const [name, value] of Object.entries(fields)) body.set(name, value ?? "");
    const response = await fetch(address, { method: "POST", body, redirect: "manual" });
    if (!response.ok) throw new Error(`the site answered ${response.status}`);
  }

  async function turnOn() {
    if (!(await askToNotify())) return showStatus("denied");
    const { worker = "", key = "" } = data(box);
    const { endpoint, keys } = (await subscribe(worker, key)).toJSON();
    await post(form.action, { endpoint, ...keys });
    showButtons(true);
    showStatus("on");
  }

  async function turnOff() {
    await post(data(form).end ?? "");
    await (await pushSubscription())?.unsubscribe();
    showButtons(false);
    showStatus("off");
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    start.disabled = stop.disabled = true;
    showStatus("");
    try {
      await (event.submitter === stop ? turnOff() : turnOn());
    } catch {
      showStatus("failed");
    }
    start.disabled = stop.disabled = false;
  });

  async function init() {
    const isOn = isSupported && "on" in data(box) && Boolean(await pushSubscription());
    box.hidden = "briefly" in data(box) && (isOn || !isSupported);
    form.hidden = !isSupported;
    showButtons(isOn);
    if (!isSupported) showStatus("none");
  }

  init();
}

const box = findById("push");
if (box) offer(box);
