// A bot that plays the tile with the most pips: `python -m games.engine.bench node examples/bots/heavy_bot.mjs`.
// It needs Node.js 18 or newer and nothing else (docs/bots.md).

import { createInterface } from "node:readline";

/** Return the pips of the tile in a move such as "6-4 left" or "U(0,0)=4/4/5"; -1 for "draw" and "pass". */
function pips(move) {
  const tile = move.split("=").at(-1).split(" ")[0];
  return /^\d/.test(tile) ? tile.split(/[-/]/).reduce((sum, number) => sum + Number(number), 0) : -1;
}

/** Return one of the legal moves of a position. */
function choose(view) {
  return view.legal.reduce((best, move) => (pips(move) > pips(best) ? move : best));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { version, view } = JSON.parse(line);
  if (view.legal.length > 0) console.log(JSON.stringify({ version, move: choose(view) }));
}
