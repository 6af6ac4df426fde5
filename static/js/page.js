// @ts-check
// Small conveniences of every page. The site works without them.

import { remember } from "./cookies.js";
import { closest, findById, query, queryAll } from "./dom.js";
import { installWorkerOfApp } from "./fallbacks.js";
import "./local_times.js";
import { beforeRequest, onUpdate } from "./updates.js";

// An installed app has no address bar, and shows a page of the site while the device is offline.
installWorkerOfApp("/service-worker.js");

function hideScriptlessButtons() {
  for (const button of queryAll("[data-only-without-script]")) button.hidden = true;
}

hideScriptlessButtons();
onUpdate(hideScriptlessButtons);

document.addEventListener("change", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  if (input.matches("[data-submit-on-change]")) input.form?.requestSubmit();
  if (input.matches("[data-cookie]")) remember(input.name, input.checked ? "on" : "off");
});

// A submitted form ignores further submissions, so that a double press does not send it twice. It works again if no
// other page has loaded after a while, and when the browser shows this page from its history.
const BLOCK_MS = 10_000;
/** @type {Map<HTMLFormElement, HTMLElement | null>} blocked forms, each with its button */
const submitted = new Map();

/** @param {HTMLFormElement} form */
function unblock(form) {
  submitted.get(form)?.removeAttribute("aria-disabled");
  submitted.delete(form);
}

// On the window, after all other listeners: some of them send forms themselves and stay on the page.
window.addEventListener("submit", (event) => {
  const { submitter } = event;
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
  if (submitted.has(form)) {
    event.preventDefault();
    return;
  }
  submitter?.setAttribute("aria-disabled", "true");
  submitted.set(form, submitter);
  setTimeout(unblock, BLOCK_MS, form);
});
window.addEventListener("pageshow", () => {
  for (const form of submitted.keys()) unblock(form);
});

// The strip of a running match polls only while the page is visible; the site takes its requests as presence.
beforeRequest((source) => !document.hidden || source !== findById("running-match"));

// A page restored from the browser's history is outdated, and its connection is closed for good.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && query("[hx-ws\\:connect]")) location.reload();
});

// An open menu closes on Escape, on a click elsewhere, and when one of its buttons opens a sheet.
/** @param {HTMLDetailsElement | null | undefined} menu */
function closeMenu(menu) {
  if (!menu) return;
  menu.open = false;
  query("summary", menu)?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenu(query("details.menu[open]"));
});
document.addEventListener("click", ({ target }) => {
  closeMenu(closest(closest(target, "[popovertarget]"), "details.menu[open]"));
});
document.addEventListener("pointerdown", ({ target }) => {
  /** @type {HTMLDetailsElement[]} */
  const menus = queryAll("details.menu[open]");
  for (const menu of menus) {
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  }
});
