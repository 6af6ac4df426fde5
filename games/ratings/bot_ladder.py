"""How strong the bots of people are, from casual matches in which only bots played. Ratings of people do not matter.

The levels of the site's bots have fixed ratings (``bots/level_ratings.json``), so bots that play against them, or
against others that do, are on one scale. Bots of one owner are not compared with each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.bots.levels import level_ratings
from games.engine.strength import Rating, Score, estimate_ratings
from games.engine.variants import rules_for
from games.match import disclosure
from games.models import Match, Seat

CACHE_SECONDS = 600
MAX_SEATS = 10_000  # of bots, in their newest matches of a game
MAX_BOTS = 100  # those with the most matches
PRIOR_DRAWS = 1.0  # of each bot, so that one that wins all its matches has a rating; divided among its opponents
PLAYED_OUTCOMES = (Seat.Outcome.WON, Seat.Outcome.LOST)

# A bot by the id of its account, or a level by its name.
Player = int | str
Pair = tuple[Player, Player]


class Strength(NamedTuple):
    """The rating of a bot, and the number of matches that it is based on."""

    rating: Rating
    matches: int


class LadderLine(NamedTuple):
    """A bot on the ladder, with its owner."""

    bot: User
    strength: Strength


class Ladder(NamedTuple):
    """The bots of a game, the strongest first.

    ``anchored`` bots are on the scale of the levels. ``unanchored`` ones are compared with bots that they have met.
    """

    anchored: tuple[LadderLine, ...]
    unanchored: tuple[LadderLine, ...]
    levels: Mapping[str, float]


def load_ladder(variant: str) -> Ladder:
    """Return the ladder without closed accounts. Ratings are ten minutes old at most."""
    strengths = cache.get_or_set(f"bot-ladder-{variant}", partial(rate_bots, variant), CACHE_SECONDS) or {}
    bots = User.objects.filter(pk__in=strengths, is_closed=False, bot_owner__is_closed=False)
    lines = [LadderLine(bot, strengths[bot.pk]) for bot in bots.select_related("bot_owner")]
    lines.sort(key=lambda line: (-line.strength.rating.points, line.bot.pk))
    return Ladder(
        tuple(line for line in lines if line.strength.rating.is_anchored),
        tuple(line for line in lines if not line.strength.rating.is_anchored),
        level_ratings(variant),
    )


def rate_bots(variant: str) -> dict[int, Strength]:
    """Rate the bots that have played bots of other owners, or levels of the site's bots."""
    scores: dict[Pair, Score] = defaultdict(lambda: Score(0, 0))
    counts: dict[int, int] = defaultdict(int)
    for seats in _seats_of_matches(variant):
        results = list(_pair_results(seats))
        for bot in {player for pair, _points in results for player in pair if isinstance(player, int)}:
            counts[bot] += 1
        # The results of one match are not independent: all pairs of n players count as n - 1 duels.
        weight = 2 / len(seats)
        for pair, points in results:
            scores[pair] = Score(scores[pair].matches + weight, scores[pair].points + weight * points)
    dropped = set(sorted(counts, key=lambda bot: -counts[bot])[MAX_BOTS:])
    counted = {pair: score for pair, score in scores.items() if dropped.isdisjoint(pair)}
    levels: dict[Player, float] = dict(level_ratings(variant).items())
    ratings = estimate_ratings(_with_prior(counted), levels)
    return {bot: Strength(rating, counts[bot]) for bot, rating in ratings.items() if isinstance(bot, int)}


def _with_prior(scores: Mapping[Pair, Score]) -> dict[Pair, Score]:
    """Return the scores with the drawn matches that are added to those of each bot."""
    totals: dict[Player, float] = defaultdict(float)
    for pair, score in scores.items():
        for player in pair:
            totals[player] += score.matches
    with_prior = {}
    for pair, score in scores.items():
        draws = sum(PRIOR_DRAWS * score.matches / totals[player] for player in pair if isinstance(player, int))
        with_prior[pair] = Score(score.matches + draws, score.points + draws / 2)
    return with_prior


def _seats_of_matches(variant: str) -> Iterator[Sequence[Seat]]:
    """Yield the seats of the newest finished matches without people and without partners."""
    is_person = Q(user__isnull=False, user__bot_owner=None) | Q(user=None, bot="")
    seats_of_bots = Seat.objects.filter(user__bot_owner__isnull=False, variant=variant, finished_at__isnull=False)
    matches = Match.objects.filter(
        disclosure.disclosed_matches(),
        ~Exists(Seat.objects.filter(is_person, match=OuterRef("pk"))),
        pk__in=seats_of_bots.order_by("-finished_at", "-match").values("match")[:MAX_SEATS],
        status=Match.Status.FINISHED,
    )
    for match in matches.prefetch_related("seats__user"):
        if not rules_for(variant).has_partners(match.seat_count, match.options):
            yield list(match.seats.all())


def _pair_results(seats: Sequence[Seat]) -> Iterator[tuple[Pair, float]]:
    """Yield the result of the first player of each pair that is compared: 1, 0.5 or 0."""
    for one, other in combinations(seats, 2):
        points = _points(one, other)
        if _owner(one) != _owner(other) and points is not None:
            yield (_player(one), _player(other)), points


def _points(one: Seat, other: Seat) -> float | None:
    """Return the result of the first player. Who left the match has lost; None if both did."""
    stayed, other_stayed = one.outcome in PLAYED_OUTCOMES, other.outcome in PLAYED_OUTCOMES
    if stayed != other_stayed:
        return float(stayed)
    if not stayed or one.place is None or other.place is None:
        return None
    return 0.5 if one.place == other.place else float(one.place < other.place)


def _player(seat: Seat) -> Player:
    return seat.user_id or seat.bot


def _owner(seat: Seat) -> int | None:
    """Return the owner of a bot, None for a level."""
    return seat.user.bot_owner_id if seat.user else None
