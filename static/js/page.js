// Small conveniences of every page. The site works without them.

import { remember } from "./cookies.js";
import "./local_times.js";

function hideScriptlessButtons() {
  for (const button of document.querySelectorAll("[data-only-without-script]")) button.hidden = true;
}

hideScriptlessButtons();
document.addEventListener("htmx:after:swap", hideScriptlessButtons);

document.addEventListener("change", (event) => {
  const { target } = event;
  if (target.matches("[data-submit-on-change]")) target.form.requestSubmit();
  if (target.matches("[data-cookie]")) remember(target.name, target.checked ? "on" : "off");
});

// A submitted form ignores further submissions, so that a double press does not send it twice. It works again if no
// other page has loaded after a while, and when the browser shows this page from its history.
const BLOCK_MS = 10_000;
const submitted = new Map(); // blocked forms, each with its button

function unblock(form) {
  submitted.get(form)?.removeAttribute("aria-disabled");
  submitted.delete(form);
}

// On the window, after all other listeners: some of them send forms themselves and stay on the page.
window.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
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
document.addEventListener("htmx:config:request", (event) => {
  if (document.hidden && event.target.id === "running-match") event.preventDefault();
});

// A page restored from the browser's history is outdated, and its connection is closed for good.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[hx-ws\\:connect]")) location.reload();
});

// An open menu closes on Escape, on a click elsewhere, and when one of its buttons opens a sheet.
function closeMenu(menu) {
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenu(document.querySelector("details.menu[open]"));
});
document.addEventListener("click", ({ target }) => {
  closeMenu(target.closest("[popovertarget]")?.closest("details.menu[open]"));
});
document.addEventListener("pointerdown", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
