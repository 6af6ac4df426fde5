"""What a seat shows of its player: the name and the marks, which most moves leave as they are."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.enums import Occupant
from games.html import Html, escape
from games.rendering.addresses import person_page
from games.rendering.bots import bot_mark
from games.rendering.faces import face
from games.words.lookup import Words
from infrastructure.bidi import isolate

NOTHING = Html("")


class Sitter(NamedTuple):
    """What a seat shows of its person. It changes seldom, so that a seat is seldom drawn: a time bank is not in it."""

    seat: int
    name: str
    colour: str
    kind: str
    user_id: int | None
    away: bool
    guest: bool
    late: bool
    bot: str


class Plate(NamedTuple):
    """What a seat shows of its player, which most moves leave as it is.

    ``partner`` is a name, ``ending`` is ``ending_of``. ``absent`` is the mark of a seat in which a bot plays for a
    person. ``passed`` is whether its pass is the last move, ``wins`` the matches that it has won since the first of a
    series of rematches.
    """

    person: Sitter
    ready: bool = False
    host: bool = False
    open_table: bool = False
    partner: str = ""
    ending: str = ""
    passed: bool = False
    wins: int | None = None
    absent: str = ""


@lru_cache(maxsize=8192)
def drawn(plate: Plate, words: Words) -> tuple[Html, Html]:
    """Return a seat up to whose turn it is, and from there to what it has."""
    person, seat = plate.person, plate.person.seat
    classes = Html("seat" + (" passed" if plate.passed else "") + (" away" if person.away else ""))
    who = Html(f"<div>{face(person.name, person.colour)}{_name(person)}")
    return Html(f'<li id="seat{seat}" class="{classes}">{who}'), Html(f"</div>{_marks(plate, words)}")


def _name(person: Sitter) -> Html:
    """Return the name, for a person as a link to their page, where they can also be blocked."""
    name = escape(isolate(person.name))
    if not person.user_id:
        return Html(f'<span class="name" translate="no">{name}</span>')
    return Html(f'<a class="name" translate="no" href="{person_page(person.user_id)}" target="_blank">{name}</a>')


def free_seat(plate: Plate, words: Words) -> Html:
    seat = plate.person.seat
    button = Html(
        f'<button class="button button-small" form="sit" name="index" value="{seat}">{words["sit"]}</button>'
    )
    return Html(
        f'<li id="seat{seat}" class="seat free"><div><span class="name">{words["free_seat"]}</span>'
        f"</div>{button if plate.open_table else ''}</li>"
    )


def _marks(plate: Plate, words: Words) -> Html:
    person = plate.person
    marks = []
    if plate.ending:
        marks.append(_ending(plate.ending, words))
    if plate.wins is not None:
        wins = words.count("wins", plate.wins)
        marks.append(Html(f'<span class="mark mark-wins">{wins}</span>'))
    if plate.partner:
        marks.append(
            Html(f'<span class="mark mark-partner">{words.say("partner", name=escape(plate.partner))}</span>')
        )
    if plate.absent:
        marks.append(_explained(plate.absent, words))
    elif person.kind == Occupant.BOT and person.user_id is None:
        marks.append(bot_mark(person.bot, words))
    if person.guest and person.kind == Occupant.HUMAN:
        marks.append(_explained("guest", words))
    if plate.host:
        marks.append(Html(f'<span class="mark">{words["host"]}</span>'))
    if person.late:
        marks.append(_explained("late", words, classes=Html(" mark-late")))
    if person.away:
        marks.append(Html(f'<span class="mark mark-away">{words["away"]}</span>'))
    if plate.ready:
        marks.append(Html(f'<span class="mark mark-ready">{words["is_ready"]}</span>'))
    return Html(f'<span class="marks">{"".join(marks)}</span>' if marks else "")


def _ending(ending: str, words: Words) -> Html:
    """Return how the match ended for a seat. The style sheet draws a crown or a goat before it."""
    return _explained("winner" if ending == "won" else "loser", words, Html(f" mark-{escape(ending)}"))


def _explained(key: str, words: Words, classes: Html = NOTHING) -> Html:
    """Return a mark that says what it means (``explanations``)."""
    return Html(f'<button class="mark{classes}" popovertarget="about-{escape(key)}">{words[key]}</button>')
