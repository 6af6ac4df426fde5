"""The cost of a player's choice, as the bot judges it with the knowledge of the seat.

Every choice is judged by a few playouts to the end of its round. The move that does best in few playouts is probably
overestimated, so every choice would seem to cost something. Therefore one half of the playouts finds the best move and
the other half judges it, and vice versa. The choices that seem to cost most are then checked with new playouts, more
than before, because the highest of many noisy estimates are too high.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from math import sqrt
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from games import bots
from games.bots.outcomes import Course, sample_courses, sample_outcomes
from games.bots.player import BotPlayer
from games.engine.events import Drew, MatchStarted, Passed, Played, move_of
from games.engine.moves import Move
from games.engine.outcome import Outcome, mean_outcome, standard_error
from games.engine.replay import Decision
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.explanations.fact import Fact
from games.explanations.facts import explain
from games.match_reports.report import CHANCE_DECIMALS, DECIMALS, MAX_CHANCE_ERROR, MAX_KEY_MOMENTS, Choice

MIN_SAMPLES, MAX_SAMPLES = 4, 24  # of the hidden tiles for a choice, even numbers
# Points that weigh as much as all of the chance. They decide between moves with nearly equal chances.
POINTS_FOR_MATCH = 400
CHECKED_CHOICES = 10  # choices of a match that are checked
CHECK_SAMPLES = 60  # for each of them; key moments get more, until their chances are certain enough
MAX_CHECK_SAMPLES = 1080
EXPLAINED_SAMPLES = 48  # of the hidden tiles, in which two moves are played out to explain them; 0.1 s at most
TARGET_CHANCE_ERROR = 0.0155  # standard error; 95 % of the chances are then right within 3 percentage points


class ChoicePosition(NamedTuple):
    """A choice between several legal moves: the number of its event, the state before it, and the player's move."""

    seq: int
    state: State
    seat: int
    move: Move

    @property
    def view(self) -> View:
        """What the player saw."""
        return view_for(rules_for(self.state.setup.variant), self.state, self.seat)


class SampledMoves(NamedTuple):
    """Some legal moves of a position, and a row with the outcome of each for every sample of the hidden tiles."""

    moves: tuple[Move, ...]
    rows: list[list[Outcome]]

    def outcomes(self, move: Move) -> list[Outcome]:
        index = self.moves.index(move)
        return [row[index] for row in self.rows]


def evaluate_choices(decisions: Iterable[Decision], seed: str) -> list[Choice]:
    """Return the choices that players made in a match, judged and checked. ``seed`` is that of the match.

    Moves of bots and of the clock are no choices of a player.
    """
    positions = {position.seq: position for position in map(find_choice, decisions) if position}
    samples = samples_per_choice(positions.values())
    choices = {seq: evaluate_choice(position, seed, samples) for seq, position in positions.items()}
    candidates = [choice for choice in choices.values() if choice.made != choice.best and choice.chance_loss > 0]
    for choice in nlargest(CHECKED_CHOICES, candidates, key=_cost):
        choices[choice.seq] = check_choice(positions[choice.seq], choice, seed, CHECK_SAMPLES)
    mistakes = nlargest(MAX_KEY_MOMENTS, filter(attrgetter("is_mistake"), choices.values()), key=_cost)
    choices |= {choice.seq: choice for choice in check_key_moments(mistakes, positions, seed)}
    return list(choices.values())


def check_key_moments(
    mistakes: Iterable[Choice], positions: Mapping[int, ChoicePosition], seed: str
) -> Iterator[Choice]:
    """Check mistakes until their chances are certain, except those for which the remaining playouts cannot suffice."""
    playouts = player_of(positions.values()).check_playouts if positions else 0
    for mistake in mistakes:
        samples = min(MAX_CHECK_SAMPLES, playouts // 2)
        if samples > mistake.checks and mistake.error * sqrt(mistake.checks / samples) <= MAX_CHANCE_ERROR:
            checked = check_choice(positions[mistake.seq], mistake, seed, samples)
            playouts -= 2 * checked.checks
            yield checked


def _cost(choice: Choice) -> tuple[float, int]:
    return choice.chance_loss, -choice.seq


def find_choice(decision: Decision) -> ChoicePosition | None:
    """Return a player's choice; None if only one move was legal or a bot or the clock made the move."""
    event, state = decision.events[0], decision.state
    if not isinstance(event, Played | Drew | Passed) or event.by:
        return None
    legal, move = legal_moves(state), move_of(event)
    if len(legal) < 2 or move not in legal:
        return None
    return ChoicePosition(decision.seq, state, event.seat, move)


def samples_per_choice(positions: Collection[ChoicePosition]) -> int:
    """Return the even number of samples with which all choices of a match together need ``report_playouts``."""
    if not positions:
        return MIN_SAMPLES
    player = player_of(positions)
    moves = sum(min(player.judged_moves, len(legal_moves(position.state))) for position in positions)
    samples = player.report_playouts // moves
    return max(MIN_SAMPLES, min(MAX_SAMPLES, samples - samples % 2))


def player_of(positions: Collection[ChoicePosition]) -> BotPlayer[Any]:
    """Return the bot that judges the choices of a match."""
    return bots.bot_for_variant(next(iter(positions)).state.setup.variant)


def legal_moves(state: State) -> Sequence[Move]:
    return rules_for(state.setup.variant).legal_moves(state)


def evaluate_choice(position: ChoicePosition, seed: str, samples: int) -> Choice:
    """Judge a choice. The same position, seed and number always give the same result."""
    sampled = sample_moves(position, Random(f"{seed} {position.seq}"), samples)  # noqa: S311 (repeatable on purpose)
    halves = [list(map(mean_outcome, zip(*sampled.rows[half::2], strict=True))) for half in range(2)]
    means = list(map(mean_outcome, zip(*sampled.rows, strict=True)))
    own = sampled.moves.index(position.move)
    best = max(range(len(means)), key=lambda move: merit(means[move]))
    if merit(means[own]) == merit(means[best]):
        best = own
    rules, loss = rules_for(position.state.setup.variant), estimated_loss(halves, own)
    return Choice(
        position.seq,
        position.seat,
        round(loss.points, DECIMALS),
        rules.move_text(position.move),
        rules.move_text(sampled.moves[best]),
        round(loss.chance, CHANCE_DECIMALS),
        round(means[own].chance, CHANCE_DECIMALS),
    )


def merit(outcome: Outcome) -> float:
    """Return the number by which moves are compared: the chance, and a little for points."""
    return outcome.chance + outcome.points / POINTS_FOR_MATCH


def estimated_loss(halves: Sequence[Sequence[Outcome]], move: int) -> Outcome:
    """Return what a move loses by two independent estimates of all moves: one finds the best, the other judges it.

    Below 0 the move did better than the best ones found. Such errors must stay, or sums of losses would be too high.

    >>> good, bad, poor = Outcome(8.0, 0.75), Outcome(4.0, 0.5), Outcome(0.0, 0.25)
    >>> estimated_loss([[good, poor], [bad, poor]], move=1)
    Outcome(points=6.0, chance=0.375)
    >>> estimated_loss([[good, poor], [poor, bad]], move=1)
    Outcome(points=-2.0, chance=-0.125)
    """
    losses = []
    for choosing_half, judging_half in (halves, halves[::-1]):
        best = judging_half[max(range(len(choosing_half)), key=lambda other: merit(choosing_half[other]))]
        losses.append(Outcome(best.points - judging_half[move].points, best.chance - judging_half[move].chance))
    return mean_outcome(losses)


def check_choice(position: ChoicePosition, choice: Choice, seed: str, max_samples: int) -> Choice:
    """Judge the player's move against the best one with new samples, until both chances are certain enough."""
    chance = Random(f"{seed} {position.seq} check")  # noqa: S311 (repeatable on purpose)
    best = rules_for(position.state.setup.variant).parse_move(position.state, choice.best)
    sampled, error = SampledCourses(), 1.0
    while len(sampled.rows) + CHECK_SAMPLES <= max_samples and error > TARGET_CHANCE_ERROR:
        sampled.extend(sample_courses_of(position, chance, CHECK_SAMPLES, (best, position.move)))
        columns = zip(*sampled.rows, strict=True)
        error = max(standard_error([outcome.chance for outcome in column]) for column in columns)
    better, own = map(mean_outcome, zip(*sampled.rows, strict=True))
    checked = choice._replace(
        loss=round(better.points - own.points, DECIMALS),
        chance_loss=round(better.chance - own.chance, CHANCE_DECIMALS),
        chance=round(own.chance, CHANCE_DECIMALS),
        checks=len(sampled.rows),
        error=round(error, CHANCE_DECIMALS),
    )
    if not checked.is_mistake:
        return checked._replace(facts=())
    return checked._replace(facts=explain(position.view, best, position.move, sampled.courses))


def sample_moves(
    position: ChoicePosition, random: Random, samples: int, moves: Sequence[Move] = (), including: Move | None = None
) -> SampledMoves:
    """Try ``moves`` in random positions that agree with what the seat knew.

    By default these are the moves worth judging: those that the bot prefers, the one made, and ``including``.
    """
    view = position.view
    player = bots.bot_for_variant(view.rules.key)
    games = player.sample_positions(view, random)
    first = next(games)
    if not moves:
        by_number = dict(zip(first.numbers(view.legal), view.legal, strict=True))
        preferred = player.preferred_moves(first, list(by_number), random)[: player.judged_moves]
        candidates = [*map(by_number.__getitem__, preferred), position.move, including or position.move]
        moves = list(dict.fromkeys(candidates))
    positions = [first, *islice(games, samples - 1)]
    rows = sample_outcomes(player, first.numbers(moves), positions, position.seat, random)
    return SampledMoves(tuple(moves), list(rows))


class SampledCourses:
    """Playouts of two moves in the same positions: pairs of outcomes, and pairs of courses."""

    def __init__(self) -> None:
        self.rows: list[tuple[Outcome, Outcome]] = []
        self.courses: list[tuple[Course, Course]] = []

    def extend(self, rows: Iterable[Sequence[tuple[Outcome, Course]]]) -> None:
        for (outcome, course), (other_outcome, other_course) in rows:
            self.rows.append((outcome, other_outcome))
            self.courses.append((course, other_course))


def sample_courses_of(
    position: ChoicePosition, random: Random, samples: int, moves: tuple[Move, Move]
) -> Iterator[list[tuple[Outcome, Course]]]:
    """Try two moves in random positions that agree with what the seat knew, and follow the course of each round."""
    player = bots.bot_for_variant(position.view.rules.key)
    first, *rest = islice(player.sample_positions(position.view, random), samples)
    return sample_courses(player, first.numbers(moves), (first, *rest), position.seat, random)


def explain_moves(state: State, seat: int, better: Move, worse: Move, seed: str) -> tuple[Fact, ...]:
    """Return why one move is better than another, judging by the view of the seat and by playouts of both moves."""
    position, sampled = ChoicePosition(0, state, seat, better), SampledCourses()
    random = Random(seed)  # noqa: S311 (repeatable on purpose)
    sampled.extend(sample_courses_of(position, random, EXPLAINED_SAMPLES, (better, worse)))
    return explain(position.view, better, worse, sampled.courses)


def report_seed(start: MatchStarted) -> str:
    """Return the seed with which the choices and deals of a match are judged."""
    return f"{start.match} {start.commitment}"
