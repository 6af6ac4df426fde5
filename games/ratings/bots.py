"""How well the bots play a game, by the results of matches with people whose ratings are settled.

Ratings have no zero of their own: 1500 is where people start. So only people can tell where bots stand among them. The
mathematics is that of people, but nobody's rating is changed, and bots are not compared with each other here.
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

KEPT_SECONDS = 3600
PEOPLE, MATCHES, OF_A_PERSON = 1000, 1000, 20
"""So many are looked at, the newest matches, and of each person's the first of these."""
PLAYED = (Seat.Outcome.WON, Seat.Outcome.LOST)
ROUNDED_TO = 50


class BotRating(NamedTuple):
    """What is known of the skill of bots of one level, from so many matches with so many people."""

    skill: Skill = Skill()
    matches: int = 0
    people: int = 0

    @property
    def about(self) -> int:
        """The rating as people see it: to the nearest fifty, for a bot's luck is as good as anybody's.

        >>> BotRating(Skill(27.5, 3.0)).about
        1600
        """
        return ROUNDED_TO * round(self.skill.shown / ROUNDED_TO)


def ratings(variant: str) -> Mapping[str, BotRating]:
    """Return what is known of the bots' skill at a game, by level, as of the last hour."""
    found = cache.get_or_set(f"bots-ratings-{variant}", partial(measured, variant), KEPT_SECONDS)
    return found or {}


def measured(variant: str) -> dict[str, BotRating]:
    """Work it out. Levels that such people have not met are left out."""
    people = {row.user_id or 0: standings.skill_of(row) for row in standings.leaders(variant, count=PEOPLE)}
    met: Counter[tuple[str, int]] = Counter()
    found: dict[str, BotRating] = {}
    for seats in _matches(variant, people):
        played = [(seat, seat.user_id or 0) for seat in seats if seat.outcome in PLAYED]
        for level in {seat.bot for seat in seats if _is_bot(seat)}:
            known = {seat: people[user] for seat, user in played if user in people and met[level, user] < OF_A_PERSON}
            if not known:
                continue
            met.update((level, seat.user_id or 0) for seat in known)
            bots = [seat for seat in seats if _is_bot(seat) and seat.bot == level]
            before = found.get(level, BotRating())
            after = _after(before.skill, bots, known)
            found[level] = BotRating(after, before.matches + 1, sum(each == level for each, _user in met))
    return found


def _is_bot(seat: Seat) -> bool:
    return bool(seat.bot) and not seat.user_id


def _matches(variant: str, people: Mapping[int, Skill]) -> Iterator[Sequence[Seat]]:
    """Yield the seats of matches of these people with bots, the oldest first; none with partners."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    matches = Match.objects.filter(
        disclosure.public(),
        Exists(seats.filter(user__in=people, outcome__in=PLAYED)),
        Exists(seats.filter(user=None).exclude(bot="")),
        variant=variant,
        status=Match.Status.FINISHED,
    )
    newest = matches.order_by("-finished_at", "-pk").prefetch_related("seats")[:MATCHES]
    for match in reversed(newest):
        if not rules_for(variant).has_partners(match.seat_count, match.options):
            yield list(match.seats.all())


def _after(bot: Skill, bots: Sequence[Seat], people: Mapping[Seat, Skill]) -> Skill:
    """Return the skill of the bots after a match with people, in the mean of those that took part."""
    others = list(people)
    after = []
    for seat in bots:
        sides = [[bot], *([people[other]] for other in others)]
        places = [seat.place or 1, *(other.place or 1 for other in others)]
        after.append(skill.rated(sides, places, [[1.0]] * len(sides))[0][0])
    return Skill(fmean(each.mu for each in after), fmean(each.sigma for each in after))
