// A tile that the player prepares while others think. It stays in this browser until the player's turn: then it is
// played if it fits in one place, shows its places if there are several, and is dropped with a message if it does not
// fit.

import { choose, match, places, play, tileOf, tiles, whenPlacesShown } from "./choice.js";
import { isMyTurn } from "./sound.js";

const status = document.getElementById("prepared");
let prepared = ""; // the id of the tile's button
let preparedRound = "";

const currentRound = () => document.getElementById("sync").dataset.round;
const isWaiting = () => Boolean(match.querySelector("#hand .tiles")) && !isMyTurn();
const showStatus = (sentence, tile) => {
  status.textContent = sentence ? status.dataset[sentence].replace("{tile}", tile) : "";
  status.hidden = !sentence;
};

function mark() {
  for (const button of tiles()) button.classList.toggle("prepared", button.id === prepared);
}

function prepare(button) {
  prepared = button && button.id !== prepared ? button.id : "";
  preparedRound = currentRound();
  showStatus(prepared && "prepared", button && tileOf(button));
  mark();
}

function playPrepared(button) {
  if (button.form.id === "move") return button.click();
  choose(tileOf(button));
  whenPlacesShown(() => {
    if (places().length === 1) play(places()[0].value);
  });
}

match.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("#hand .tiles button");
    if (!button || !isWaiting()) return;
    event.preventDefault();
    event.stopPropagation();
    prepare(button);
  },
  { capture: true },
);

document.addEventListener("keydown", (event) => {
  if (prepared && event.key === "Escape") prepare(null);
});

document.addEventListener("htmx:after:swap", () => {
  if (!prepared) return isWaiting() && showStatus("");
  const button = document.getElementById(prepared);
  const isSameRound = currentRound() === preparedRound;
  if (isWaiting() && button && isSameRound) return mark();
  prepare(null);
  if (!isMyTurn() || !button || !isSameRound) return;
  if (button.classList.contains("fits")) playPrepared(button);
  else showStatus("void", tileOf(button));
});
