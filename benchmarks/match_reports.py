"""How far the figures of match reports can be trusted.

``python benchmarks/match_reports.py moments [--matches 20] [--playouts 2000]`` evaluates the chances of key moments
again, with new guesses and playouts to the end of the match. It prints how many stated chances are within four
percentage points, and how many moments cost less than two. ``luck [VARIANT ...] [--deals 100]`` compares the luck of
deals with what bots make of them, and prints how often the 95 % interval contains it, also for other values of
``luck_error``. ``contradictions [--matches 200]`` counts the corpus matches in which a player lost more by choices
than another and gained more by them, and those in which points and chances disagree about the winner without an
explanation.
``explanations [--matches 40]`` counts the kinds of facts that explain key moments of corpus matches, and prints the
explanations. ``cost [--matches 10]`` prints the CPU time of a report. Except for the corpus, all matches are played by
bots, in turn at tables with two to four seats.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice, permutations
from math import hypot, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import NamedTuple

from django.conf import settings

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.bots import deal_next_round, play_round
from games import bots
from games.bots.winning import final_chances
from games.engine.decide import decide, new_match
from games.engine.events import Event, MatchEnded
from games.engine.evolve import start_state
from games.engine.moves import Move
from games.engine.playout import Playout
from games.engine.replay import decisions, start_event
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.transcript import read
from games.engine.variants import registry, rules_for
from games.engine.view import view_for
from games.explanations.texts import Speech, fact_sentence
from games.match_reports.choices import ChoicePosition, find_choice
from games.match_reports.computation import make_report
from games.match_reports.luck import BOT_LEVEL, PLAYOUTS_PER_LEAD, SAMPLED_LEADS, deal_value, seat_results
from games.match_reports.report import MIN_CHANCE_LOSS, Choice, Report
from tests.engine import corpus

LEVELS = ("casual", "steady")  # of the bots whose matches are judged, in turn
TOLERANCE = 0.04  # of a stated chance
MAX_MOMENTS = 2  # of a match
BOT_PLAYOUTS = 24  # of a deal, by bots that look ahead
LUCK_PLAYOUTS = SAMPLED_LEADS * PLAYOUTS_PER_LEAD  # by which a report states luck
CONFIDENCE = 1.96
LUCK_ERRORS = (0.05, 0.1, 0.15, 0.2, 0.25)  # for which the coverage is printed besides
PROGRESS_INTERVAL = 20  # matches or deals


class BotMatch(Playout):
    """A match between bots of different levels, which make mistakes."""

    def _move(self, seat: int) -> None:
        level = LEVELS[seat % len(LEVELS)]
        text = bots.choose_move(view_for(self.rules, self.state, seat), level, self.chance.getrandbits(32))
        move = self.rules.parse_move(self.state, text)
        self._apply(decide(self.rules, self.state, seat, move))


def bot_matches(variants: Sequence[str]) -> Iterator[tuple[str, list[Event]]]:
    """Yield matches of each game in turn, endlessly."""
    for number in count():
        for key in variants:
            rules = registry()[key]
            seats = rules.seat_counts[number % len(rules.seat_counts)]
            yield key, BotMatch(rules, seats, {}, f"benchmark {key} {number}").play_match()


def check_moments(variants: Sequence[str], matches: int, playouts: int) -> None:
    differences, losses = [], []
    for key, events in islice(bot_matches(variants), matches):
        positions = {choice.seq: choice for choice in map(find_choice, decisions(events)) if choice}
        for moment in make_report(events).key_moments[:MAX_MOMENTS]:
            played, best = check_chances(key, moment, positions[moment.seq], playouts)
            differences += [abs(moment.chance - played), abs(moment.best_chance - best)]
            losses.append(best - played)
    within = fmean(difference <= TOLERANCE for difference in differences)
    print(f"{len(differences)} chances: {within:.1%} within {TOLERANCE:.0%}, mean {fmean(differences):.1%}")
    small = sum(loss < MIN_CHANCE_LOSS for loss in losses)
    print(f"{small} of {len(losses)} key moments cost less than {MIN_CHANCE_LOSS:.0%}, the least {min(losses):.1%}")


def check_chances(key: str, moment: Choice, position: ChoicePosition, playouts: int) -> list[float]:
    """Return the chances of both moves by new playouts, and print them next to those stated."""
    chances, rules = [], registry()[key]
    for text, stated in ((moment.made, moment.chance), (moment.best, moment.best_chance)):
        move = rules.parse_move(position.state, text)
        chances.append(chance_by_matches(rules, position, move, playouts))
        print(f"{key} {moment.seq} {text}: stated {stated:.1%}, found {chances[-1]:.1%}", flush=True)
    return chances


def chance_by_matches(rules: Rules, position: ChoicePosition, move: Move, playouts: int) -> float:
    """Return the chance after a move by playouts to the end of the match."""
    player, random = bots.bot_for_variant(rules.key), Random(f"check {position.seq}")
    view = view_for(rules, position.state, position.seat)
    chances = []
    for game in islice(player.sample_positions(view, random), playouts):
        state = player.finish_round(game.copy(), game.numbers([move])[0], random).final_state()
        while state.match_over is None:
            following = player.simulation(deal_next_round(rules, state, random))
            state = player.finish_round(following, player.rollout_move(following, random), random).final_state()
        chances.append(final_chances(state.match_over, state.setup.sides)[position.seat])
    return fmean(chances)


class DealCheck(NamedTuple):
    """How far the results of bots differ from the luck of a deal, their standard error, and the spread of playouts."""

    difference: float
    bot_error: float
    spread: float

    def is_covered(self, luck_error: float) -> bool:
        error = self.spread * hypot(luck_error, 1 / sqrt(LUCK_PLAYOUTS))
        return abs(self.difference) <= CONFIDENCE * hypot(error, self.bot_error)


def check_luck(variants: Sequence[str], deals: int) -> None:
    for key in variants:
        rules, random, checks = registry()[key], Random(f"luck {key}"), list[DealCheck]()
        for number in range(deals):
            seats = rules.seat_counts[number % len(rules.seat_counts)]
            dealt = deal_next_round(rules, start_state(new_match(rules, seats, {})), random)
            checks.append(check_deal(rules, dealt, random))
            if len(checks) % PROGRESS_INTERVAL == 0 or len(checks) == deals:
                print_coverage(key, checks)


def check_deal(rules: Rules, dealt: State, random: Random) -> DealCheck:
    luck, error = deal_value(dealt, random)
    results = [bot_result(rules, dealt, random) for _ in range(BOT_PLAYOUTS)]
    spread = error[0] / hypot(bots.bot_for_variant(rules.key).luck_error, 1 / sqrt(LUCK_PLAYOUTS))
    return DealCheck(fmean(results) - luck[0], stdev(results) / sqrt(BOT_PLAYOUTS), spread)


def print_coverage(key: str, checks: Sequence[DealCheck]) -> None:
    """Print the coverage with the bot's ``luck_error`` and with others."""
    own = bots.bot_for_variant(key).luck_error
    shares = {error: fmean(check.is_covered(error) for check in checks) for error in (own, *LUCK_ERRORS)}
    other_shares = ", ".join(f"{error}: {shares[error]:.0%}" for error in LUCK_ERRORS)
    print(f"{key}: {shares[own]:.0%} of {len(checks)} deals covered with {own}; with {other_shares}", flush=True)


def bot_result(rules: Rules, dealt: State, random: Random) -> float:
    """Return the result of seat 0 when bots that look ahead play a deal."""

    def choose(state: State) -> Move:
        view = view_for(rules, state, state.round.to_move)
        return rules.parse_move(state, bots.choose_move(view, BOT_LEVEL, random.getrandbits(32)))

    return seat_results(dealt, play_round(rules, dealt, choose).rounds[-1])[0]


def check_contradictions(matches: int) -> None:
    """Print the totals after every 20 matches, so that a run that is stopped is not lost."""
    contradictions = explained = unexplained = 0
    for checked, events in enumerate(sample_matches(matches, "contradictions"), 1):
        report, sides = make_report(events), sides_of(events)
        contradictions += contradicts_itself(report, sides)
        if report.seats_with_opposite_losses(len(sides)):
            explained += 1
        elif pair := disagreement_with_winner(report, events):
            unexplained += 1
            print(f"{start_event(events).match}: no explanation for seats {pair}", flush=True)
        if checked % PROGRESS_INTERVAL == 0 or checked == matches:
            print(
                f"{contradictions} of {checked} reports contradict themselves. Chance and points disagree in "
                f"{explained + unexplained}, {unexplained} of them without an explanation.",
                flush=True,
            )


def sample_matches(matches: int, seed: str) -> list[tuple[Event, ...]]:
    finished = list(finished_matches())
    return Random(seed).sample(finished, min(matches, len(finished)))


def finished_matches() -> Iterator[tuple[Event, ...]]:
    """Yield the matches of the corpus that were played to the end."""
    for _digest, text in corpus.load():
        events = tuple(entry.event for entry in read(text))
        if any(isinstance(event, MatchEnded) and event.reason == "finished" for event in events):
            yield events


def sides_of(events: Sequence[Event]) -> tuple[int, ...]:
    start = start_event(events)
    return rules_for(start.variant).sides(start.seats, dict(start.options))


def contradicts_itself(report: Report, sides: Sequence[int]) -> bool:
    """Return whether a side that lost more points by choices than another gained more by them."""
    total = report.match_total
    if total is None:
        return False
    lost = [0.0] * len(set(sides))
    for seat, side in enumerate(sides):
        lost[side] += report.player_report(seat).lost
    gained = dict(zip(sides, total.choices, strict=True))
    return any(
        round(lost[first]) > round(lost[second]) and round(gained[first]) > round(gained[second])
        for first, second in permutations(gained, 2)
    )


def disagreement_with_winner(report: Report, events: Sequence[Event]) -> tuple[int, int] | None:
    """Return a winner and another seat of which one lost more points by choices and the other more of the chance."""
    match_end = next(event for event in events if isinstance(event, MatchEnded))
    sides = sides_of(events)
    chances = final_chances(match_end, sides)
    players = [report.player_report(seat) for seat in range(len(sides))]
    for winner, other in permutations(range(len(sides)), 2):
        first, second = players[winner], players[other]
        points, percents = round(first.lost) - round(second.lost), first.percent_lost - second.percent_lost
        if chances[winner] > chances[other] and points * percents < 0:
            return winner, other
    return None


def count_explanations(variants: Sequence[str], matches: int) -> None:
    settings.configure(USE_I18N=False)  # for sentences in English
    kinds, moments, explained = Counter[str](), 0, 0
    finished = [events for events in finished_matches() if start_event(events).variant in variants]
    for events in Random("explanations").sample(finished, min(matches, len(finished))):
        names = [f"Player {seat + 1}" for seat in range(start_event(events).seats)]
        for choice in make_report(events).key_moments:
            moments, explained = moments + 1, explained + bool(choice.facts)
            kinds.update(fact.kind for fact in choice.facts)
            speech = Speech(choice.best, choice.made, names, None)
            sentences = [fact_sentence(fact, speech) for fact in choice.facts]
            print(start_event(events).match, choice.seq, names[choice.seat], choice.made, *sentences, sep=" | ")
    print(f"{explained} of {moments} key moments have an explanation.")
    for kind, count_of_kind in kinds.most_common():
        print(f"{kind}: {count_of_kind / kinds.total():.0%} of the facts")


def measure_cost(variants: Sequence[str], matches: int) -> None:
    for key in variants:
        seconds = []
        for _key, events in islice(bot_matches([key]), matches):
            begin = process_time()
            make_report(events)
            seconds.append(process_time() - begin)
        print(f"{key}: {fmean(seconds):.2f} s of CPU on average, {max(seconds):.2f} s at most", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("check", choices=("moments", "luck", "contradictions", "explanations", "cost"))
    parser.add_argument("variant", nargs="*", metavar="VARIANT", help="all games by default")
    parser.add_argument("--matches", type=int)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=100)
    arguments = parser.parse_args()
    variants = arguments.variant or list(registry())
    if arguments.check == "moments":
        check_moments(variants, arguments.matches or 20, arguments.playouts)
    elif arguments.check == "luck":
        check_luck(variants, arguments.deals)
    elif arguments.check == "contradictions":
        check_contradictions(arguments.matches or 200)
    elif arguments.check == "explanations":
        count_explanations(variants, arguments.matches or 40)
    else:
        measure_cost(variants, arguments.matches or 10)


if __name__ == "__main__":
    main()
