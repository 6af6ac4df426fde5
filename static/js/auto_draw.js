// @ts-check
// Draws for players whose settings say so, as long as no tile in their hand fits.

import { match } from "./choice.js";
import { query } from "./dom.js";
import { onUpdate } from "./updates.js";

const DELAY_MS = 700; // time to see why
let timer = 0;

/** @returns {HTMLButtonElement | null} the button, if drawing is the only move and not under way */
const onlyMove = () => query("#hand.mine:not(:has(.fits)) #draw:not(.asked)", match);

function draw() {
  timer = 0;
  onlyMove()?.click();
}

if (match.hasAttribute("data-auto-draw"))
  onUpdate(() => {
    if (!timer && onlyMove()) timer = setTimeout(draw, DELAY_MS);
  });
