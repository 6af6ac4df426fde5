// Popovers that explain a number or a mark; they also open without scripts. This module fills in the number, opens
// them when the mouse rests on it, and places them where the style sheet cannot.

const POPOVERS = "popover" in HTMLElement.prototype;
const ANCHORS = CSS.supports("position-area", "bottom");
const HOVER_MS = 450;
const buttonAt = (target) => target.closest?.(":is(.seat, td) [popovertarget]");
const popoverOf = (button) => document.getElementById(button.getAttribute("popovertarget"));
let opener = null;
let timer = 0;
let hovered = null; // the popover opened by the mouse, which closes when it leaves

function numberOf(button) {
  return button.dataset.value ?? button.lastChild?.textContent ?? "";
}

function place(popover) {
  const openerBox = opener.getBoundingClientRect();
  const margin = 2 * Number.parseFloat(getComputedStyle(popover).marginTop);
  const [width, height] = [popover.offsetWidth + margin, popover.offsetHeight + margin];
  const centredX = Math.min(innerWidth - width, openerBox.left + (openerBox.width - width) / 2);
  popover.style.left = `${Math.max(0, centredX)}px`;
  const fitsBelow = openerBox.bottom + height <= innerHeight;
  popover.style.top = `${fitsBelow ? openerBox.bottom : Math.max(0, openerBox.top - height)}px`;
}

function onToggle(event) {
  if (!event.target.matches(".about, td [popover]") || event.newState !== "open" || !opener) return;
  const number = event.target.querySelector(":scope > b > span");
  if (number) number.textContent = numberOf(opener);
  if (!ANCHORS) place(event.target);
}

document.addEventListener("toggle", onToggle, true);
document.addEventListener(
  "click",
  (event) => {
    opener = buttonAt(event.target) ?? opener;
    hovered = null;
  },
  true,
);
document.addEventListener("pointerover", ({ target, pointerType }) => {
  const button = buttonAt(target);
  if (pointerType !== "mouse" || !button || !POPOVERS) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    const popover = popoverOf(button);
    if (!button.isConnected || popover.matches(":popover-open")) return;
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
document.addEventListener("htmx:after:swap", () => {
  if (POPOVERS && opener && !opener.isConnected) document.querySelector(".about:popover-open")?.hidePopover();
});
