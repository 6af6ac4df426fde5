// The zoom buttons lie in a corner of the felt where they cover nothing, else no tile, and leave it only when a tile
// comes there. Where every corner has tiles they are not shown: the wheel, two fingers, a double tap and keys zoom too.

const lens = document.getElementById("lens");
const buttons = document.getElementById("zoom");
const CORNERS = ["bottom-right", "bottom-left", "top-right", "top-left"];
const TILES = "#board use";
const TAKEN = `${TILES}, .hint-switch, #result:not([hidden])`;
const AIR = 3; // pixels

const boxOf = (element) => element.getBoundingClientRect();

function covers(sign, box) {
  const across = sign.left - AIR < box.right && box.left < sign.right + AIR;
  return across && sign.top - AIR < box.bottom && box.top < sign.bottom + AIR;
}

function isFree(taken) {
  const sign = boxOf(buttons.querySelector(".sign"));
  return !taken.some((box) => covers(sign, box));
}

function choose() {
  if (lens.parentElement.classList.contains("zoomed")) return;
  const left = buttons.dataset.corner || CORNERS[0];
  for (const selector of [TAKEN, TILES]) {
    const taken = [...lens.closest(".table").querySelectorAll(selector)].map(boxOf).filter((box) => box.width);
    for (const corner of [left, ...CORNERS]) {
      buttons.dataset.corner = corner;
      if (isFree(taken)) return;
    }
  }
  buttons.dataset.corner = "";
}

// Keep clear of the tiles where they come to rest: a table that grows moves them for a moment.
export function keepClear() {
  const animations = lens.getAnimations?.({ subtree: true }) ?? [];
  const moving = animations.filter((each) => each.effect.getTiming().iterations === 1);
  Promise.allSettled(moving.map((each) => each.finished)).then(choose);
}
