// A tile that is prepared while others think. It stays in this browser until it is one's turn: then it is played if it
// fits in one place, asks for its place if there are several, and is forgotten, with a word, if it does not fit.

import { choose, match, places, play, tileOf, tiles, whenShown } from "./choice.js";
import { isMyTurn } from "./sound.js";

const said = document.getElementById("prepared");
let prepared = ""; // the id of its button
let inRound = "";

const round = () => document.getElementById("sync").dataset.round;
const waiting = () => Boolean(match.querySelector("#hand .tiles")) && !isMyTurn();
const tell = (sentence, tile) => {
  said.textContent = sentence ? said.dataset[sentence].replace("{tile}", tile) : "";
  said.hidden = !sentence;
};

function mark() {
  for (const button of tiles()) button.classList.toggle("prepared", button.id === prepared);
}

function prepare(button) {
  prepared = button && button.id !== prepared ? button.id : "";
  inRound = round();
  tell(prepared && "prepared", button && tileOf(button));
  mark();
}

function playPrepared(button) {
  if (button.form.id === "move") return button.click();
  choose(tileOf(button));
  whenShown(() => {
    if (places().length === 1) play(places()[0].value);
  });
}

match.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("#hand .tiles button");
    if (!button || !waiting()) return;
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
  if (!prepared) return waiting() && tell("");
  const button = document.getElementById(prepared);
  const same = round() === inRound;
  if (waiting() && button && same) return mark();
  prepare(null);
  if (!isMyTurn() || !button || !same) return;
  if (button.classList.contains("fits")) playPrepared(button);
  else tell("void", tileOf(button));
});
