// @ts-check
// Popovers that explain a number or a mark; they also open without scripts. This module fills in the number, opens
// them when the mouse rests on it, and places them where the style sheet cannot.

import { closest, data, query } from "./dom.js";
import { hasPopovers } from "./fallbacks.js";
import { onUpdate } from "./updates.js";

const ANCHORS = CSS.supports("position-area", "bottom");
const HOVER_MS = 450;
/** @param {EventTarget | null} target */
const buttonAt = (target) => closest(target, ":is(.seat, .seat-chance, td) [popovertarget]");
/** @param {HTMLElement} button */
const popoverOf = (button) => document.getElementById(button.getAttribute("popovertarget") ?? "");
/** @type {HTMLElement | null} */
let opener = null;
let timer = 0;
/** @type {HTMLElement | null} the popover opened by the mouse, which closes when it leaves */
let hovered = null;

/** @param {HTMLElement} button */
function numberOf(button) {
  return data(button).value ?? button.lastChild?.textContent ?? "";
}

/** @param {HTMLElement} popover @param {HTMLElement} opener */
function place(popover, opener) {
  const openerBox = opener.getBoundingClientRect();
  const margin = 2 * Number.parseFloat(getComputedStyle(popover).marginTop);
  const [width, height] = [popover.offsetWidth + margin, popover.offsetHeight + margin];
  const centredX = Math.min(innerWidth - width, openerBox.left + (openerBox.width - width) / 2);
  popover.style.left = `${Math.max(0, centredX)}px`;
  const fitsBelow = openerBox.bottom + height <= innerHeight;
  popover.style.top = `${fitsBelow ? openerBox.bottom : Math.max(0, openerBox.top - height)}px`;
}

/** @param {ToggleEvent} event */
function onToggle({ target, newState }) {
  if (newState !== "open" || !opener) return;
  if (!(target instanceof HTMLElement) || !target.matches(".about, td [popover]")) return;
  const number = query(":scope > b > span", target);
  if (number) number.textContent = numberOf(opener);
  if (!ANCHORS) place(target, opener);
}

document.addEventListener("toggle", onToggle, true);
document.addEventListener(
  "click",
  (event) => {
    clearTimeout(timer);
    opener = buttonAt(event.target) ?? opener;
    hovered = null;
  },
  true,
);
document.addEventListener("pointerover", ({ target, pointerType }) => {
  const button = buttonAt(target);
  if (pointerType !== "mouse" || !button || !hasPopovers()) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    const popover = popoverOf(button);
    if (!popover || !button.isConnected || popover.matches(":popover-open")) return;
    opener = button;
    hovered = popover;
    popover.showPopover({ source: button });
  }, HOVER_MS);
});
document.addEventListener("pointerout", ({ target }) => {
  if (!buttonAt(target)) return;
  clearTimeout(timer);
  hovered?.hidePopover();
  hovered = null;
});
// A frame may have removed the opener.
onUpdate(() => {
  if (hasPopovers() && opener && !opener.isConnected) query(".about:popover-open")?.hidePopover();
});
