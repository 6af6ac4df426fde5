// @ts-check
// The rules of the games that decide about a deal, so that a record cannot bring rules of its own. Tiles are texts, as
// in the record. The first choice of an option is its value where it cannot be chosen.

/** @import { PlayedRound } from "./played_round.js" */
/** @typedef {(seats: number[]) => number} Lot draws one of some seats */
/** @typedef {{ seat: number, rule: string, tiles: string[] }} Lead who leads a round, and the tiles to choose from */
/**
 * @typedef {object} Game
 * @property {number} version the newest version of the rules; all versions up to it are supported
 * @property {number[]} seats
 * @property {Record<string, string[]>} options
 * @property {Record<string, number[]>} optionSeats
 * @property {string[]} tiles
 * @property {string[]} cells where tiles lie on the table from the start
 * @property {boolean} hasBoneyard
 * @property {string} voidRule
 * @property {number} draws in one turn
 * @property {(seats: number, options: Record<string, string>) => number} handSize
 * @property {(hands: string[][], start: string[]) => boolean} isVoid
 * @property {(hands: string[][], following: number | null, lot: Lot) => Lead} lead
 * `following` is the seat that leads because of the previous round, null where that does not decide
 * @property {(table: PlayedRound) => number | null} nextLead
 */

/** @param {string} tile */
export const partsOf = (tile) => tile.split("-").map(Number);
/** @param {string} tile */
const sumOf = (tile) => partsOf(tile).reduce((sum, part) => sum + part, 0);
/** @param {string} tile */
export const isDouble = (tile) => new Set(partsOf(tile)).size === 1;

/** @param {number} from @param {number} to */
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, step) => from + step);
/** @param {number} from @param {number} to */
const doubleSet = (from, to) => range(from, to).flatMap((high) => range(from, high).map((low) => `${high}-${low}`));
/** @param {number} to */
const tripleSet = (to) =>
  range(0, to).flatMap((one) =>
    range(one, to).flatMap((two) => range(two, to).map((three) => `${one}-${two}-${three}`)),
  );

// The given doubles in order, then the other tiles by falling sum, equal sums by the higher half.
/** @param {number[]} values */
function leadOrder(...values) {
  const nonDoubles = doubleSet(0, 6).filter((tile) => !isDouble(tile));
  nonDoubles.sort((one, other) => sumOf(other) - sumOf(one) || partsOf(other)[0] - partsOf(one)[0]);
  return [...values.map((value) => `${value}-${value}`), ...nonDoubles];
}

/** @param {string[]} order @param {string[][]} hands */
function holderOfFirst(order, hands) {
  const tile = order.find((tile) => hands.some((hand) => hand.includes(tile))) ?? "";
  return { seat: hands.findIndex((hand) => hand.includes(tile)), tiles: [tile] };
}

/** @param {string[][]} hands */
const allSeats = (hands) => hands.map((_, seat) => seat);

// An option that is left out of the record when it has its first choice. Boards have the last one.
export const LENGTH_OPTION = { length: ["full", "quick", "round"] };

/** @type {Omit<Game, "lead">} defaults of the games */
const COMMON = {
  version: 2, // increased by fixes that change a verdict
  seats: [2, 3, 4],
  options: {},
  optionSeats: {},
  tiles: doubleSet(0, 6),
  cells: [],
  hasBoneyard: true,
  voidRule: "",
  draws: 1000,
  handSize: () => 7,
  isVoid: () => false,
  nextLead: () => null,
};

const kozelOrder = leadOrder(1, 2, 3, 4, 5, 6, 0);
const gamezzOrder = leadOrder(0, 6, 5, 4, 3, 2, 1);

/** @type {Record<string, Game>} */
export const GAMES = {
  kozel: {
    ...COMMON,
    options: { fish: ["all", "one"], ...LENGTH_OPTION },
    voidRule: "kozel.redeal",
    isVoid: (hands) =>
      hands.some(
        (hand) =>
          hand.filter(isDouble).length >= 5 ||
          range(0, 6).some((value) => hand.filter((tile) => partsOf(tile).includes(value)).length >= 6),
      ),
    lead(hands, following) {
      if (following !== null) return { seat: following, rule: "kozel.lead_next", tiles: [] };
      return { ...holderOfFirst(kozelOrder, hands), rule: "kozel.lead_first" };
    },
    nextLead: (table) => table.last,
  },
  gamezz: {
    ...COMMON,
    options: LENGTH_OPTION,
    lead: (hands) => ({ ...holderOfFirst(gamezzOrder, hands), rule: "gamezz.lead" }),
  },
  all_fives: {
    ...COMMON,
    options: {
      hands: ["9-7-5", "5-5-5", "7-5-5"],
      partners: ["no", "yes"],
      hand_end: ["subtract_own", "winner_collects"],
      target: ["standard", "100", "150", "200", "250"],
      ...LENGTH_OPTION,
    },
    optionSeats: { partners: [4] },
    handSize: (seats, options) => Number(options.hands.split("-")[seats - 2]),
    lead: (hands, following, lot) => ({ seat: following ?? lot(allSeats(hands)), rule: "all_fives.lead", tiles: [] }),
    nextLead: (table) => table.out,
  },
  triominoes: {
    ...COMMON,
    options: { hands: ["leaflet", "official"], ...LENGTH_OPTION },
    tiles: tripleSet(5),
    draws: 3,
    handSize: (seats, options) => (options.hands === "official" && seats === 2 ? 9 : 7),
    lead: triominoesLead,
  },
  rytmino: {
    ...COMMON,
    version: 3, // in version 1 identical tiles always lay turned against each other at the start
    options: { leftover: ["none", "sackson"], deals: ["1", "per_player"] },
    tiles: doubleSet(1, 5).flatMap((tile) => [tile, tile]),
    cells: ["H(0,0)", "H(0,1)"],
    hasBoneyard: false,
    voidRule: "rytmino.start",
    handSize: (seats) => [14, 9, 7][seats - 2],
    isVoid: (_hands, [one, other]) => one === other && isDouble(one),
    lead: (hands, following, lot) => ({ seat: following ?? lot(allSeats(hands)), rule: "rytmino.start", tiles: [] }),
    nextLead: (table) => (table.leader + 1) % table.hands.length,
  },
};

// The highest triple leads, or 0-0-0 from the same hand; without triples the most valuable tiles, ties by lot.
/** @type {Game["lead"]} */
function triominoesLead(hands, _following, lot) {
  const rule = "triominoes.start";
  const triples = hands.flat().filter(isDouble).sort().reverse();
  if (triples.length) {
    const seat = hands.findIndex((hand) => hand.includes(triples[0]));
    const tiles = new Set([triples[0], "0-0-0"].filter((tile) => hands[seat].includes(tile)));
    return { seat, rule, tiles: [...tiles] };
  }
  const worth = hands.map((hand) => hand.map(sumOf).sort((one, other) => other - one));
  /** @param {number[]} one @param {number[]} other */
  const compare = (one, other) => {
    const place = one.findIndex((value, at) => value !== other[at]);
    return place < 0 ? 0 : one[place] - other[place];
  };
  const best = worth.reduce((highest, values) => (compare(values, highest) > 0 ? values : highest));
  const tied = allSeats(hands).filter((seat) => compare(worth[seat], best) === 0);
  const seat = tied.length === 1 ? tied[0] : lot(tied);
  return { seat, rule, tiles: hands[seat].filter((tile) => sumOf(tile) === best[0]) };
}
