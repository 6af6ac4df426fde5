// A round as it was played: the hands, the boneyard, whose turn it is. Finds what is impossible.

export class PlayedRound {
  last = null; // the seat that laid the last tile
  #drawn = 0;

  constructor({ hands, boneyard, to_move: leader, must_lead: mustLead }, seats, draws) {
    this.hands = Array.from({ length: seats }, (_, seat) => [...(hands[seat] ?? [])]);
    Object.assign(this, { boneyard: [...boneyard], leader, turn: leader, mustLead, draws });
  }

  // The seat that laid the last tile of its hand.
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
    const isForced = this.last === null && this.mustLead.length;
    const findings = isForced && !this.mustLead.includes(tile) ? [["led", place, tile]] : [];
    const held = this.hands[seat].indexOf(tile);
    if (held < 0) findings.push(["played", place, tile]);
    else this.hands[seat].splice(held, 1);
    this.last = seat;
    return findings;
  }

  passed(_seat, _tile, place) {
    return this.boneyard.length && this.#drawn < this.draws ? [["passed", place]] : [];
  }
}
