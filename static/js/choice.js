// Which tile is chosen, and where it may go. The places are buttons the server has drawn; this only shows them.

export const match = document.getElementById("match");
const twoTaps = match.hasAttribute("data-two-taps");
let chosen = match.querySelector(".choice-of-end:not([hidden]) .act")?.value.split(" ")[0] ?? "";

export const tiles = () => [...match.querySelectorAll("#hand .tiles button")];
export const chosenTile = () => chosen;

const key = (tile) => tile.replaceAll("-", "");
const buttonOf = (tile) => match.querySelector(`#h${key(tile || "none")}`);
const placesOf = (tile) => match.querySelector(`#c${key(tile || "none")}`);

// The buttons that play a tile: itself where there is one place, else those of its places.
export function plays(tile) {
  const button = buttonOf(tile);
  if (!button?.classList.contains("fits")) return [];
  return button.form?.id === "move" ? [button] : [...placesOf(tile).querySelectorAll("button")];
}

export function play(move) {
  const button = match.querySelector(`#hand button[name="move"][value="${CSS.escape(move)}"]`);
  button?.form.requestSubmit(button);
}

export function choose(tile) {
  chosen = tile && plays(tile).length ? tile : "";
  show();
}

export function light(near) {
  for (const slot of match.querySelectorAll("#spots use")) slot.classList.toggle("near", slot === near);
}

function show() {
  const moves = new Set(chosen ? plays(chosen).map((button) => button.value) : []);
  for (const button of tiles()) {
    if (button.dataset.tile === chosen) button.setAttribute("aria-pressed", "true");
    else button.removeAttribute("aria-pressed");
  }
  for (const places of match.querySelectorAll(".choice-of-end")) places.hidden = places !== placesOf(chosen);
  for (const slot of match.querySelectorAll("#spots use")) slot.classList.toggle("on", moves.has(slot.dataset.move));
}

match.addEventListener("click", (event) => {
  const slot = event.target.closest("#spots use");
  if (slot) return play(slot.dataset.move);
  if (event.target.closest(".another")) {
    event.preventDefault();
    const button = buttonOf(chosen);
    choose("");
    return button?.focus();
  }
  const button = event.target.closest("#hand .tiles button");
  if (!button || !button.classList.contains("fits")) return;
  const asks = button.form.id === "choose";
  if (!asks && (!twoTaps || button.dataset.tile === chosen)) return;
  event.preventDefault();
  choose(asks && button.dataset.tile === chosen ? "" : button.dataset.tile);
});

// A frame draws the zone as if nothing were chosen: choose again what still can be.
document.addEventListener("htmx:after:swap", () => choose(chosen));
