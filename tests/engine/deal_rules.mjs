// Answers what the verifier's tables say of deals, one a line; null asks for the games that it knows.

import { createInterface } from "node:readline";

import { GAMES } from "../../static/js/deal_rules.js";

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  if (!question) {
    process.stdout.write(`${JSON.stringify(Object.keys(GAMES))}\n`);
    continue;
  }
  const { variant, seats, options, hands, laid, following } = question;
  const game = GAMES[variant];
  const lots = [];
  const lot = (among) => {
    lots.push(...among);
    return among[0];
  };
  const { seat, rule, tiles } = game.lead(hands, following, lot);
  const answer = {
    version: game.version,
    seats: game.seats,
    set: game.tiles,
    cells: game.cells,
    options: Object.entries(game.options),
    option_seats: game.optionSeats,
    draws: game.draws,
    size: game.handSize(seats, options),
    void: game.isVoid(hands, laid) ? game.voidRule : "",
    lead: [seat, rule, tiles, lots],
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
