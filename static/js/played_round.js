// Replays a round: the hands, the boneyard and whose turn it is. Reports impossible events.

export class PlayedRound {
  last = null; // the seat that placed the last tile
  #drawn = 0;

  constructor({ hands, boneyard, to_move: leader, must_lead: mustLead }, seats, draws) {
    this.hands = Array.from({ length: seats }, (_, seat) => [...(hands[seat] ?? [])]);
    Object.assign(this, { boneyard: [...boneyard], leader, turn: leader, mustLead, draws });
  }

  // The seat that has placed its last tile.
  get out() {
    return this.last !== null && !this.hands[this.last].length ? this.last : null;
  }

  take({ kind, seat, tile, to_move: following, place }) {
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

  drew(seat, tile, place) {
    const findings = this.boneyard.shift() === tile ? [] : [["drawn", place, tile]];
    if (this.#drawn >= this.draws) findings.push(["draws", place]);
    this.hands[seat].push(tile);
    return findings;
  }

  played(seat, tile, place) {
    const mustOpen = this.last === null && this.mustLead.length;
    const findings = mustOpen && !this.mustLead.includes(tile) ? [["led", place, tile]] : [];
    const index = this.hands[seat].indexOf(tile);
    if (index < 0) findings.push(["played", place, tile]);
    else this.hands[seat].splice(index, 1);
    this.last = seat;
    return findings;
  }

  passed(_seat, _tile, place) {
    return this.boneyard.length && this.#drawn < this.draws ? [["passed", place]] : [];
  }
}
