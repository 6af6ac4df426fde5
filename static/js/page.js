// Small conveniences of every page. Nothing here is needed to use the site.

import { remember } from "./cookies.js";
import "./local_times.js";

function hideSpares() {
  for (const button of document.querySelectorAll("[data-only-without-script]")) button.hidden = true;
}

hideSpares();
document.addEventListener("htmx:after:swap", hideSpares);

document.addEventListener("change", (event) => {
  const { target } = event;
  if (target.matches("[data-submit-on-change]")) target.form.requestSubmit();
  if (target.matches("[data-cookie]")) remember(target.name, target.checked ? "on" : "off");
});

// A form that has been submitted rests, so that a second press does not send it again. It wakes up if no other page comes,
// and if the browser shows this page again from its history.
const REST = 10_000;
const submitted = new Map(); // forms that rest, each with its button

function wake(form) {
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
  setTimeout(wake, REST, form);
});
window.addEventListener("pageshow", () => {
  for (const form of submitted.keys()) wake(form);
});

// The strip of a running match looks again only while the page is in sight; by that the site knows that it is.
document.addEventListener("htmx:config:request", (event) => {
  if (document.hidden && event.target.id === "running-match") event.preventDefault();
});

// A page restored from the browser's history is outdated, and its connection closed for good.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[hx-ws\\:connect]")) location.reload();
});

// An open menu closes on Escape, on a click elsewhere, and for a sheet that one of its buttons opens.
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
