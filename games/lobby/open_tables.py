"""The lobby: its games, its lists (plain values from three queries), and the fragments that page and socket share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString

from games import access
from games.engine.events import Standing
from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.enums import Occupant
from games.match import disclosure, record
from games.models import Match, Seat
from games.rendering.pictures import picture
from games.rendering.seats import score_mark
from games.services import crowd, seating
from games.spectators import delayed
from games.spectators.counts import NOBODY
from games.terms.presets import Preset, presets_of
from games.words import Choice, VariantWords, offered, words_of
from games.words.lookup import Words, words_for
from games.words.table import changes

if TYPE_CHECKING:
    from games.words import Text

SHOWN = 40
"""As many tables of a kind as a visitor still reads; the lists are cut here."""
COLUMNS = ("slug", "variant", "options", "clock", "visibility", "rated", "delay", "status", "round")
CHAIR_COLUMNS = ("user_id", "user__is_guest", "bot", "name", "colour")


@dataclass(frozen=True, slots=True)
class Game:
    """A game that the site offers, and its ready-made tables."""

    key: str
    words: VariantWords
    presets: tuple[Preset, ...]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat in a list. ``kind``: ``human``, ``bot`` or ``empty``; ``score`` is HTML, "" before the first deal."""

    name: str
    colour: str
    kind: str
    score: SafeString
    guest: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in a list. ``changes`` say what is not classic there; ``round`` is "" before the first deal."""

    slug: str
    variant: str
    game: Text
    changes: tuple[Choice, ...]
    status: str
    round: str
    chairs: tuple[Chair, ...]
    watching: int

    @property
    def free(self) -> int:
        return sum(chair.kind == Occupant.EMPTY for chair in self.chairs)


@dataclass(frozen=True, slots=True)
class Lists:
    """Open tables, with a free seat before full ones, and running ones, the youngest first."""

    open: tuple[TableLine, ...]
    running: tuple[TableLine, ...]


def games() -> dict[str, Game]:
    """Return what the site offers, by key."""
    return {key: Game(key, words_of(key), presets_of(rules)) for key, rules in offered().items()}


def pictures() -> SafeString:
    """Return the pictures of all games as symbols ``picture-<key>``, for pages and lists to refer to."""
    return SafeString("".join(map(picture, offered())))


def lists(variant: str = "", apart: int | None = None) -> Lists:
    """Read the public tables, those of one variant or ("") of all; ``apart`` names a person who may not see some."""
    public = Match.objects.filter(visibility=Match.Visibility.PUBLIC).order_by("-pk")
    if apart is not None:
        public = public.filter(access.not_shut_to(apart))
    if variant:
        public = public.filter(variant=variant)
    late = disclosure.withheld() & ~Q(status=Match.Status.VOID)
    running = Q(status=Match.Status.RUNNING) | late
    shown = [public.filter(which).values("pk")[:SHOWN] for which in (Q(status=Match.Status.OPEN), running)]
    lines = _lines(Q(match_id__in=shown[0]) | Q(match_id__in=shown[1]), None)
    waiting = (line for line in lines if line.status == Match.Status.OPEN)
    return Lists(
        open=tuple(sorted(waiting, key=lambda line: not line.free)),
        running=tuple(line for line in lines if line.status != Match.Status.OPEN),
    )


def own_tables(user_id: int | None) -> tuple[TableLine, ...]:
    """Read the unfinished tables that are the user's."""
    if user_id is None:
        return ()
    return _lines(Q(match_id__in=seating.unfinished(user_id).values("match_id")), user_id)


def frame(language: str, variant: str = "", apart: int | None = None) -> str:
    """Render the lists as one frame for the sockets of the lobby."""
    with translation.override(language):
        return render_to_string("lobby/frame.html", {"lists": lists(variant, apart)})


def _lines(which: Q, user_id: int | None) -> tuple[TableLine, ...]:
    """Read these tables as their players see them, of whom the user is one, or (None) as spectators do."""
    seats = Seat.objects.filter(which).order_by("-match_id", "index")
    columns = [f"match__{column}" for column in COLUMNS]
    rows = seats.values_list("match_id", *columns, *CHAIR_COLUMNS)
    tables = {match_id: list(table) for match_id, table in groupby(rows, key=itemgetter(0))}
    standings, crowds = record.standings(tables), crowd.of_matches(tables, timezone.now())
    return tuple(
        _line(table, standings.get(match_id), crowds.get(match_id, NOBODY).number, user_id)
        for match_id, table in tables.items()
    )


def _line(
    rows: list[tuple[Any, ...]], standing: tuple[Standing, ...] | None, watchers: int, user_id: int | None
) -> TableLine:
    match_id, slug, variant, options, clock, visibility, rated, delay, status, number = rows[0][: 1 + len(COLUMNS)]
    words = words_for(variant, translation.get_language() or settings.LANGUAGE_CODE)
    watched = user_id is None and delay != Match.Delay.NONE and status != Match.Status.OPEN
    known = delayed.current(match_id, user_id) if watched else None
    if late := known is not None and known.late:
        standing = known.state.standing if known.state else None
        number = known.table.round
        status = Match.Status.RUNNING
    scores = score_marks(rules_for(variant), options, len(rows), standing, words)
    return TableLine(
        slug=slug,
        variant=variant,
        game=words_of(variant).name,
        changes=changes(variant, options, clock=clock, visibility=visibility, rated=rated, delay=delay),
        status=status,
        round=SafeString(words["round"] % {"round": number}) if number else "",
        chairs=tuple(
            _chair(row[-len(CHAIR_COLUMNS) :], score, late=late) for row, score in zip(rows, scores, strict=True)
        ),
        watching=watchers,
    )


def score_marks(
    rules: Rules, options: dict[str, str], seats: int, standing: tuple[Standing, ...] | None, words: Words
) -> tuple[SafeString, ...]:
    """Return the score of each seat as HTML, "" before the first deal."""
    if standing is None:
        return (SafeString(),) * seats
    marks = [score_mark(rules.standing_text(each), words) for each in standing]
    return tuple(SafeString(marks[side]) for side in rules.sides(seats, options))


def _chair(row: tuple[Any, ...], score: SafeString, *, late: bool) -> Chair:
    """Return a seat, of its ``CHAIR_COLUMNS``; where a match is seen ``late``, whoever left still sits there."""
    user_id, guest, bot, name, colour = row
    kind = Occupant.HUMAN if user_id and (late or not bot) else Occupant.BOT if bot else Occupant.EMPTY
    return Chair(name, colour, kind, score, kind == Occupant.HUMAN and bool(guest))
