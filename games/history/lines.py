"""The history as its pages show it: plain values from two queries, however many matches a page has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString

from games.engine.notation import standing_from_json
from games.engine.variants import rules_for
from games.history.filters import HistoryForm
from games.lobby.open_tables import score_marks
from games.models import Match, Seat
from games.rendering.match_lines import Line, Player, Rank
from games.words import words_of
from games.words.lookup import number_text, words_for

OF_MATCHES = ("pk", "slug", "variant", "options", "finished_at", "round", "status", "rated", "visibility", "standing")
WHO = ("user_id", "user__is_guest", "bot", "name", "colour")
OF_SEATS = ("match_id", "index", *WHO, "place", "rating_gain", "outcome")
ANYBODY = 0
"""Nobody's number: the fields on the page of a person do not depend on whose it is."""
LAST = 1_000
"""Behind every place: who has none."""


def filters(form: HistoryForm) -> SafeString:
    """Return the fields of the form, and what is wrong with them."""
    names = (field.name for field in form.visible_fields())
    asked = tuple((name, form.data[name]) for name in names if name in form.data)
    return _filters(asked, form.person_id is not None, translation.get_language() or settings.LANGUAGE_CODE)


@lru_cache(maxsize=500)
def _filters(asked: tuple[tuple[str, str], ...], of_person: bool, language: str) -> SafeString:
    """Draw the fields: a fifth of a page's time, and most pages have them in common."""
    form = HistoryForm(dict(asked), person_id=ANYBODY if of_person else None)
    with translation.override(language):
        return render_to_string("history/filters.html", {"form": form})


def lines(match_ids: Sequence[int], person_id: int | None = None) -> list[Line]:
    """Read matches, in this order; in a person's list each knows the part of this person (``own``)."""
    found = Match.objects.filter(pk__in=match_ids).values_list(*OF_MATCHES, named=True)
    matches = {match.pk: match for match in found}
    rows = Seat.objects.filter(match_id__in=match_ids).order_by("match_id", "index").values_list(*OF_SEATS, named=True)
    seats = {match_id: list(group) for match_id, group in groupby(rows, key=attrgetter("match_id"))}
    return [_line(matches[each], seats[each], person_id) for each in match_ids if each in seats]


def _line(match: Any, seats: list[Any], person_id: int | None) -> Line:
    ranks = _ranks(match, seats)
    players = (player for rank in ranks for player in rank.players)
    return Line(
        slug=match.slug,
        variant=match.variant,
        game=words_of(match.variant).name,
        finished_at=match.finished_at,
        rounds=match.round,
        status=match.status,
        rated=match.rated,
        by_link=match.visibility == Match.Visibility.LINK,
        ranks=ranks,
        own=next((player for player in players if person_id and player.user_id == person_id), None),
    )


def _ranks(match: Any, seats: list[Any]) -> tuple[Rank, ...]:
    """Return the sides by their places: partners together, unless one of them left."""
    rules, options = rules_for(match.variant), match.options
    words = words_for(match.variant, translation.get_language() or settings.LANGUAGE_CODE)
    standing = standing_from_json(match.standing) if match.standing else None
    marks = score_marks(rules, options, len(seats), standing, words)
    groups: dict[tuple[int, int], list[Any]] = {}
    for seat, side in zip(seats, rules.sides(len(seats), options), strict=True):
        groups.setdefault((seat.place or LAST, side), []).append(seat)
    better = [place for place, _side in groups]
    return tuple(
        Rank(
            place=1 + sum(each < place for each in better) if place < LAST else None,
            score=marks[groups[place, side][0].index],
            players=tuple(map(_player, groups[place, side])),
        )
        for place, side in sorted(groups)
    )


def _player(seat: Any) -> Player:
    """Return who sat there; ``seat`` is a row of ``OF_SEATS``."""
    gain = "" if seat.rating_gain is None else number_text(seat.rating_gain)
    return Player(
        name=seat.name,
        colour=seat.colour,
        is_bot=bool(seat.bot) and not seat.user_id,
        is_guest=bool(seat.user__is_guest),
        user_id=seat.user_id,
        outcome=seat.outcome,
        gain=gain if gain.startswith("−") or not gain else f"+{gain}",
    )
