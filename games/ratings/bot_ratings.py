"""Estimates the ratings of bots from matches with people whose ratings are settled.

The mathematics is the same as for people. Ratings of people do not change, and bots are not compared with each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Exists, OuterRef

from games.engine.variants import rules_for
from games.match import disclosure
from games.models import Match, Seat
from games.ratings import disclosed_ratings, skill
from games.ratings.skill import Skill

CACHE_SECONDS = 3600
MAX_REFERENCE_PEOPLE = 1000  # the best
MAX_MATCHES = 1000  # the newest
MAX_MATCHES_OF_A_PERSON = 20  # against bots of one level; the oldest of those matches
PLAYED_OUTCOMES = (Seat.Outcome.WON, Seat.Outcome.LOST)
ROUNDING_STEP = 50


class BotRating(NamedTuple):
    """The estimated skill of bots of one level, and the numbers of matches and people that it is based on."""

    skill: Skill = Skill()
    matches: int = 0
    people: int = 0

    @property
    def rounded(self) -> int:
        """The rating as it is displayed, rounded to the nearest fifty.

        >>> BotRating(Skill(27.5, 3.0)).rounded
        1600
        """
        return ROUNDING_STEP * round(self.skill.rating / ROUNDING_STEP)


def ratings_of_bots(variant: str) -> Mapping[str, BotRating]:
    """Return the bots' ratings in a game by level, at most an hour old."""
    return cache.get_or_set(f"bots-ratings-{variant}", partial(estimate_ratings, variant), CACHE_SECONDS) or {}


def estimate_ratings(variant: str) -> dict[str, BotRating]:
    """Estimate the bots' ratings by level, without levels that no settled person has played against."""
    skill_by_person = {
        row.user_id or 0: disclosed_ratings.skill_after(row)
        for row in disclosed_ratings.leaders(variant, count=MAX_REFERENCE_PEOPLE)
    }
    meeting_counts: Counter[tuple[str, int]] = Counter()
    by_level: dict[str, BotRating] = {}
    for seats in _seats_of_matches_with_bots(variant, skill_by_person):
        people_seats = [(seat, seat.user_id or 0) for seat in seats if seat.outcome in PLAYED_OUTCOMES]
        for level in {seat.bot for seat in seats if _is_bot(seat)}:
            opponents = {
                seat: skill_by_person[user_id]
                for seat, user_id in people_seats
                if user_id in skill_by_person and meeting_counts[level, user_id] < MAX_MATCHES_OF_A_PERSON
            }
            if not opponents:
                continue
            meeting_counts.update((level, seat.user_id or 0) for seat in opponents)
            bot_seats = [seat for seat in seats if _is_bot(seat) and seat.bot == level]
            rating = by_level.get(level, BotRating())
            people_count = sum(met_level == level for met_level, _user_id in meeting_counts)
            skill_after = _skill_after_match(rating.skill, bot_seats, opponents)
            by_level[level] = BotRating(skill_after, rating.matches + 1, people_count)
    return by_level


def _is_bot(seat: Seat) -> bool:
    return bool(seat.bot) and not seat.user_id


def _seats_of_matches_with_bots(variant: str, people: Mapping[int, Skill]) -> Iterator[Sequence[Seat]]:
    """Yield the seats of the newest matches of these people with bots, without partners, in chronological order."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    matches = Match.objects.filter(
        disclosure.disclosed_matches(),
        Exists(seats.filter(user__in=people, outcome__in=PLAYED_OUTCOMES)),
        Exists(seats.filter(user=None).exclude(bot="")),
        variant=variant,
        status=Match.Status.FINISHED,
    )
    newest = matches.order_by("-finished_at", "-pk").prefetch_related("seats")[:MAX_MATCHES]
    for match in reversed(newest):
        if not rules_for(variant).has_partners(match.seat_count, match.options):
            yield list(match.seats.all())


def _skill_after_match(bot: Skill, bot_seats: Sequence[Seat], skills: Mapping[Seat, Skill]) -> Skill:
    """Return the mean skill of the bots after a match with people."""
    sides = [[bot], *([opponent_skill] for opponent_skill in skills.values())]
    after = []
    for seat in bot_seats:
        places = [seat.place or 1, *(opponent.place or 1 for opponent in skills)]
        after.append(skill.rate_sides(sides, places, [[1.0]] * len(sides))[0][0])
    return Skill(fmean(new.mu for new in after), fmean(new.sigma for new in after))
