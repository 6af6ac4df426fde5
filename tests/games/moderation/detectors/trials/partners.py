"""Matches of two partners against greedy players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from games.bots.determinization import sample_determinizations
from games.engine.decide import decide
from games.engine.layout.spinner import SpinnerLine
from games.engine.moves import Move
from games.engine.playout import Playout
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.engine.variants.all_fives import FIVE, count_ends
from games.engine.view import View, view_for
from games.moderation.detectors import partners, throwing
from games.moderation.detectors.partners import mean_move_values, move_values_with_hand
from tests.games.moderation.detectors.trials.rate import Rate, Trial

GAME = "all_fives"  # the only game with partners
PAIR = (0, 2)
GUESSES = 60  # positions from which a reader of the opponents' play takes the most plausible
WORLDS = 8
Policy = Callable[[View, State, Random], Move]


def trial(count: int, chance: Random) -> Trial:
    """Try pairs who play like bots, pairs who infer hands from the play of others, then pairs who know the hands."""
    policies = (reading, guessing)
    innocent = sum(_measure(number, policies[number % 2], chance) >= partners.THRESHOLD for number in range(count))
    guilty = sum(_measure(number, knowing, chance) >= partners.THRESHOLD for number in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _measure(number: int, policy: Policy, chance: Random) -> float:
    match = Watched(f"partners-{number}", policy, chance)
    decisions = throwing.sample_decisions(match.play_match(), PAIR, number)
    return partners.measure_knowledge(
        partners.evaluate_fit(*choice) for seat in PAIR for choice in decisions[seat]
    ).measure


class Watched(Playout):
    """A match in which two partners choose by a policy."""

    def __init__(self, seed: str, policy: Policy, chance: Random) -> None:
        super().__init__(rules_for(GAME), 4, {"partners": "yes"}, seed, greedy=True)
        self.policy, self.policy_random = policy, chance

    def _move(self, seat: int) -> None:
        if seat not in PAIR or len(self.rules.legal_moves(self.state)) == 1:
            super()._move(seat)
            return
        move = self.policy(view_for(self.rules, self.state, seat), self.state, self.policy_random)
        self._apply(decide(self.rules, self.state, seat, move))


def guessing(view: View, _state: State, chance: Random) -> Move:
    """Choose like a bot, to which all hands allowed by the rules are equally likely."""
    return _best(
        view, mean_move_values(view, islice(sample_determinizations(view.rules, view, chance), WORLDS), chance)
    )


def knowing(view: View, state: State, chance: Random) -> Move:
    """Choose with the partner's hand in sight."""
    partner = partners.partner_of(state, view.viewer or 0) or 0
    values = [
        move_values_with_hand(view, partner, state.hands[partner], chance)
        for _ in range(WORLDS // partners.DEALS_PER_HAND)
    ]
    return _best(view, [sum(column) for column in zip(*values, strict=True)])


def reading(view: View, _state: State, chance: Random) -> Move:
    """Choose for the positions that best explain why the others did not score more."""
    missed = list(_missed(view))

    def unexplained(world: State) -> int:
        return sum(not tiles.isdisjoint((*world.hands[seat], *later)) for seat, tiles, later in missed)

    worlds = sorted(islice(sample_determinizations(view.rules, view, chance), GUESSES), key=unexplained)[:WORLDS]
    return _best(view, mean_move_values(view, iter(worlds), chance))


def _missed(view: View) -> Iterator[tuple[int, frozenset[Tile], tuple[Tile, ...]]]:
    """Yield for each play of the others: the seat, the tiles that would have scored more, and the later plays."""
    layout, plays = SpinnerLine(), view.round.plays
    for number, play in enumerate(plays):
        if play.seat != view.viewer:
            better = frozenset(tile for tile in view.rules.tile_set if _most(layout, tile) > play.points.total)
            yield play.seat, better, tuple(later.tile for later in plays[number:] if later.seat == play.seat)
        layout = layout.place(play.tile, play.place)


def _most(layout: SpinnerLine, tile: Tile) -> int:
    """Return the most that a tile scores anywhere."""
    counts = [count_ends(layout.place(tile, place))[0] for place in layout.places(tile)]
    return max((count for count in counts if count % FIVE == 0), default=0)


def _best(view: View, values: Sequence[float]) -> Move:
    return view.legal[max(range(len(values)), key=values.__getitem__)]
