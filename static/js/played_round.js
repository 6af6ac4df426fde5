// @ts-check
// Replays a round: the hands, the boneyard and whose turn it is. Reports impossible events.

/** @import { Finding, Move, RoundDealt } from "./record.js" */

export class PlayedRound {
  /** @type {number | null} the seat that placed the last tile */
  last = null;
  #drawn = 0;

  /** @param {RoundDealt} deal @param {number} seats @param {number} maxDraws in one turn */
  constructor({ hands, boneyard, to_move: leader, must_lead: mustLead }, seats, maxDraws) {
    this.hands = Array.from({ length: seats }, (_, seat) => [...(hands[seat] ?? [])]);
    this.boneyard = [...boneyard];
    this.leader = leader;
    /** @type {number | null} */
    this.turn = leader;
    this.mustLead = mustLead;
    this.maxDraws = maxDraws;
  }

  // The seat that has no tiles left.
  get out() {
    return this.last !== null && !this.hands[this.last].length ? this.last : null;
  }

  // Apply a move, and return what is wrong with it.
  /** @param {Move} move @returns {Finding[]} */
  apply({ kind, seat, tile, to_move: following, place }) {
    /** @type {Finding[]} */
    const findings = seat === this.turn ? [] : [["turn", place, seat + 1]];
    if (!this.hands[seat]) return findings;
    findings.push(...this[kind](seat, tile, place));
    const isDraw = kind === "drew";
    this.#drawn = isDraw ? this.#drawn + 1 : 0;
    const next = isDraw ? seat : (seat + 1) % this.hands.length;
    if (following !== next && (following !== null || isDraw)) findings.push(["next_turn", place]);
    this.turn = following;
    return findings;
  }

  /** @param {number} seat @param {string} tile @param {number} place */
  drew(seat, tile, place) {
    /** @type {Finding[]} */
    const findings = this.boneyard.shift() === tile ? [] : [["drawn", place, tile]];
    if (this.#drawn >= this.maxDraws) findings.push(["draws", place]);
    this.hands[seat].push(tile);
    return findings;
  }

  /** @param {number} seat @param {string} tile @param {number} place */
  played(seat, tile, place) {
    const mustOpen = this.last === null && this.mustLead.length;
    /** @type {Finding[]} */
    const findings = mustOpen && !this.mustLead.includes(tile) ? [["led", place, tile]] : [];
    const index = this.hands[seat].indexOf(tile);
    if (index < 0) findings.push(["played", place, tile]);
    else this.hands[seat].splice(index, 1);
    this.last = seat;
    return findings;
  }

  /** @param {number} _seat @param {string} _tile @param {number} place @returns {Finding[]} */
  passed(_seat, _tile, place) {
    return this.boneyard.length && this.#drawn < this.maxDraws ? [["passed", place]] : [];
  }
}
