"""Estimates the ratings of bots from matches with people whose ratings are settled.

The mathematics is that of people's ratings, but nobody's rating changes, and bots are not compared with each other.
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
from games.ratings import skill, standings
from games.ratings.skill import Skill

CACHE_SECONDS = 3600
MAX_PEOPLE = 1000
MAX_MATCHES = 1000  # the newest ones
MAX_MATCHES_OF_A_PERSON = 20  # the oldest of these
PLAYED = (Seat.Outcome.WON, Seat.Outcome.LOST)
ROUNDED_TO = 50


class BotRating(NamedTuple):
    """The estimated skill of bots of one level, and the numbers of matches and people that it is based on."""

    skill: Skill = Skill()
    matches: int = 0
    people: int = 0

    @property
    def about(self) -> int:
        """The rating as it is displayed, rounded to the nearest fifty.

        >>> BotRating(Skill(27.5, 3.0)).about
        1600
        """
        return ROUNDED_TO * round(self.skill.shown / ROUNDED_TO)


def ratings(variant: str) -> Mapping[str, BotRating]:
    """Return the bots' ratings in a game by level, at most an hour old."""
    return cache.get_or_set(f"bots-ratings-{variant}", partial(measure, variant), CACHE_SECONDS) or {}


def measure(variant: str) -> dict[str, BotRating]:
    """Estimate the bots' ratings by level, without levels that no settled person has played against."""
    people = {row.user_id or 0: standings.skill_of(row) for row in standings.leaders(variant, count=MAX_PEOPLE)}
    meetings: Counter[tuple[str, int]] = Counter()
    by_level: dict[str, BotRating] = {}
    for seats in _matches(variant, people):
        played = [(seat, seat.user_id or 0) for seat in seats if seat.outcome in PLAYED]
        for level in {seat.bot for seat in seats if _is_bot(seat)}:
            opponents = {
                seat: people[user]
                for seat, user in played
                if user in people and meetings[level, user] < MAX_MATCHES_OF_A_PERSON
            }
            if not opponents:
                continue
            meetings.update((level, seat.user_id or 0) for seat in opponents)
            bots = [seat for seat in seats if _is_bot(seat) and seat.bot == level]
            before = by_level.get(level, BotRating())
            people_met = sum(other == level for other, _user in meetings)
            by_level[level] = BotRating(_after(before.skill, bots, opponents), before.matches + 1, people_met)
    return by_level


def _is_bot(seat: Seat) -> bool:
    return bool(seat.bot) and not seat.user_id


def _matches(variant: str, people: Mapping[int, Skill]) -> Iterator[Sequence[Seat]]:
    """Yield the seats of the newest matches of these people with bots, without partners, in chronological order."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    matches = Match.objects.filter(
        disclosure.public_matches(),
        Exists(seats.filter(user__in=people, outcome__in=PLAYED)),
        Exists(seats.filter(user=None).exclude(bot="")),
        variant=variant,
        status=Match.Status.FINISHED,
    )
    newest = matches.order_by("-finished_at", "-pk").prefetch_related("seats")[:MAX_MATCHES]
    for match in reversed(newest):
        if not rules_for(variant).has_partners(match.seat_count, match.options):
            yield list(match.seats.all())


def _after(bot: Skill, bots: Sequence[Seat], people: Mapping[Seat, Skill]) -> Skill:
    """Return the mean skill of the bots after a match with people."""
    sides = [[bot], *([person] for person in people.values())]
    after = []
    for seat in bots:
        places = [seat.place or 1, *(opponent.place or 1 for opponent in people)]
        after.append(skill.rate(sides, places, [[1.0]] * len(sides))[0][0])
    return Skill(fmean(new.mu for new in after), fmean(new.sigma for new in after))
