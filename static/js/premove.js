// @ts-check
// A tile that the player prepares while others think. It stays in this browser until the player's turn: then it is
// played if it fits in one place, shows its places if there are several, and is dropped with a message if it does not
// fit.

import { choose, isMyTurn, match, places, play, tileOf, tiles, whenPlacesShown } from "./choice.js";
import { closest, data, getById, query } from "./dom.js";
import { onZone } from "./updates.js";

/** @import { FormButton } from "./choice.js" */

const status = getById("prepared");
let prepared = ""; // the id of the tile's button
/** @type {string | undefined} */
let preparedRound = "";

const currentRound = () => data(getById("sync")).round;
const isWaiting = () => Boolean(query("#hand .tiles", match)) && !isMyTurn();
/** @param {"prepared" | "void" | ""} sentence @param {string} [tile] */
const showStatus = (sentence, tile = "") => {
  status.textContent = sentence ? (data(status)[sentence] ?? "").replace("{tile}", tile) : "";
  status.hidden = !sentence;
};

function mark() {
  for (const button of tiles()) button.classList.toggle("prepared", button.id === prepared);
}

/** @param {HTMLElement | null} button */
function prepare(button) {
  prepared = button && button.id !== prepared ? button.id : "";
  preparedRound = currentRound();
  showStatus(prepared && "prepared", button ? tileOf(button) : "");
  mark();
}

/** @param {FormButton} button */
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
    const button = closest(event.target, "#hand .tiles button");
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

onZone(["hand", "sync"], () => {
  if (!prepared) return isWaiting() && showStatus("");
  const button = /** @type {FormButton | null} */ (document.getElementById(prepared));
  const isSameRound = currentRound() === preparedRound;
  if (isWaiting() && button && isSameRound) return mark();
  prepare(null);
  if (!isMyTurn() || !button || !isSameRound) return;
  if (button.classList.contains("fits")) playPrepared(button);
  else showStatus("void", tileOf(button));
});
