"""Matches that are over, as a list shows them: plain values in, HTML out. A template would need ten times as long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from django.utils import formats, timezone, translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.enums import Outcome, Status
from games.links import path_to
from games.rendering.seats import person_page

if TYPE_CHECKING:
    from games.words import Text

SLUG = "SLUG"
"""Stands for a match in addresses, which are asked for once: no part of them has capitals."""
PHRASES: dict[str, Text] = {
    "won": _("won"),
    "lost": _("lost"),
    "left": _("left"),
    "stopped": _("stopped"),
    "void": _("void"),
    "by_link": _("unlisted"),
    "rated": _("rated"),
    "bot": _("bot"),
    "guest": _("guest"),
    "place": _("Place"),
    "rating": _("Rating points"),
    "review": _("Review"),
    "scores": _("Score table"),
}


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat in a seat. ``user_id``: whose page the name leads to; ``gain``: rating points, "" for none."""

    name: str
    colour: str
    is_bot: bool
    is_guest: bool
    user_id: int | None
    outcome: str
    gain: str


@dataclass(frozen=True, slots=True)
class Rank:
    """A side and its place, 1 being the best, None where nobody won. ``score`` is HTML."""

    place: int | None
    score: str
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A match in a list. ``own`` is the part of the person whose list it is."""

    slug: str
    variant: str
    game: Text
    finished_at: datetime
    rounds: int
    status: str
    rated: bool
    by_link: bool
    ranks: tuple[Rank, ...]
    own: Player | None


def match_lines(lines: Iterable[Line], language: str) -> SafeString:
    """Return the items of a list, in the language."""
    words = _phrases(language)
    return SafeString("".join([_line(line, words, _rounds(line.rounds, language)) for line in lines]))


@cache
def _phrases(language: str) -> dict[str, str]:
    with translation.override(language):
        return {key: escape(str(text)) for key, text in PHRASES.items()}


@cache
def _rounds(count: int, language: str) -> str:
    with translation.override(language):
        return escape(ngettext("%(rounds)d round", "%(rounds)d rounds", count) % {"rounds": count})


@cache
def _address(name: str) -> str:
    """Return the address of a page of the match ``SLUG``."""
    return path_to(name, SLUG)


def _line(line: Line, words: dict[str, str], rounds: str) -> str:
    match, review, scores = (
        _address(name).replace(SLUG, line.slug) for name in ("match", "match-review", "match-scores")
    )
    game = escape(str(line.game))
    at = timezone.localtime(line.finished_at)
    moment = escape(formats.date_format(at, "DATETIME_FORMAT"))
    named = f'<span class="visually-hidden"> {game}</span>'
    return (
        '<li class="card match-line"><svg class="mark-of-game" aria-hidden="true">'
        f'<use href="#picture-{line.variant}"/></svg><div class="match-line-words">'
        f'<h3><a href="{match}">{game}</a></h3><p class="small soft">'
        f'<time datetime="{at.isoformat()}">{moment}</time> <span class="whole">{rounds}</span></p></div>'
        f'<p class="match-line-marks">{_marks(line, words)}</p>'
        f'<ol class="ranks" role="list">{"".join([_rank(rank, line.own, words) for rank in line.ranks])}</ol>'
        f'<p class="match-line-acts small"><a href="{review}">{words["review"]}{named}</a>'
        f'<a href="{scores}">{words["scores"]}{named}</a></p></li>'
    )


def _marks(line: Line, words: dict[str, str]) -> str:
    void, stopped = line.status == Status.VOID, line.status == Status.STOPPED and not line.own
    shown = {"void": void, "stopped": stopped, "by_link": line.by_link, "rated": line.rated}
    marks = [f'<span class="badge">{words[key]}</span>' for key, holds in shown.items() if holds]
    if line.own and not void:
        marks.append(f'<b class="outcome outcome-{line.own.outcome}">{words[line.own.outcome]}</b>')
    return " ".join(marks)


def _rank(rank: Rank, own: Player | None, words: dict[str, str]) -> str:
    place = ""
    if rank.place:
        place = (
            f'<span class="place numeric"><span class="visually-hidden">{words["place"]} </span>{rank.place}</span> '
        )
    players = " ".join([_player(player, player is own, words) for player in rank.players])
    first = " rank-first" if rank.place == 1 else ""
    return f'<li class="rank{first}">{place}<span class="rank-players">{players}</span> {rank.score}</li>'


def _player(player: Player, is_own: bool, words: dict[str, str]) -> str:
    name = escape(player.name)
    if player.user_id:
        current = ' aria-current="true"' if is_own else ""
        name = f'<a href="{person_page(player.user_id)}"{current}>{name}</a>'
    else:
        name = f"<span>{name}</span>"
    notes = {"bot": player.is_bot, "guest": player.is_guest, "left": player.outcome == Outcome.LEFT}
    noted = "".join([f' <span class="small soft">{words[key]}</span>' for key, holds in notes.items() if holds])
    gain = ""
    if player.gain:
        rating = f'<span class="visually-hidden">{words["rating"]} </span>'
        lost = " gain-lost" if player.gain.startswith("−") else ""
        gain = f' <span class="gain{lost} small numeric">{rating}{player.gain}</span>'
    return f'<span class="rank-player"><span class="chip chip-{player.colour}"></span> {name}{noted}{gain}</span>'
