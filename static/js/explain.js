// What a number or a mark means is said at it: a popover of the page, which also opens without scripts. Here it says
// the number, opens for a mouse that rests there, and finds its place where the style sheet cannot.

const POPOVERS = "popover" in HTMLElement.prototype;
const ANCHORS = CSS.supports("position-area", "bottom");
const PATIENCE = 450;
const buttonAt = (target) => target.closest?.(":is(.seat, td) [popovertarget]");
const popoverOf = (button) => document.getElementById(button.getAttribute("popovertarget"));
let opener = null;
let waiting = 0;
let hovered = null; // what a mouse has opened, and closes when it leaves

function numberOf(button) {
  return button.dataset.value ?? button.lastChild?.textContent ?? "";
}

function place(popover) {
  const at = opener.getBoundingClientRect();
  const margin = 2 * Number.parseFloat(getComputedStyle(popover).marginTop);
  const [width, height] = [popover.offsetWidth + margin, popover.offsetHeight + margin];
  const left = Math.min(innerWidth - width, at.left + (at.width - width) / 2);
  popover.style.left = `${Math.max(0, left)}px`;
  popover.style.top = `${at.bottom + height <= innerHeight ? at.bottom : Math.max(0, at.top - height)}px`;
}

function opened(event) {
  if (!event.target.matches(".about, td [popover]") || event.newState !== "open" || !opener) return;
  const number = event.target.querySelector(":scope > b > span");
  if (number) number.textContent = numberOf(opener);
  if (!ANCHORS) place(event.target);
}

document.addEventListener("toggle", opened, true);
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
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const popover = popoverOf(button);
    if (!button.isConnected || popover.matches(":popover-open")) return;
    opener = button;
    hovered = popover;
    popover.showPopover({ source: button });
  }, PATIENCE);
});
document.addEventListener("pointerout", ({ target }) => {
  if (!buttonAt(target)) return;
  clearTimeout(waiting);
  hovered?.hidePopover();
  hovered = null;
});
// What it stood at may be gone with a frame.
document.addEventListener("htmx:after:swap", () => {
  if (POPOVERS && opener && !opener.isConnected) document.querySelector(".about:popover-open")?.hidePopover();
});
