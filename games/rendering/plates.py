"""The plate of a seat: the player's name and marks, which most moves do not change."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.enums import Occupant
from games.html import EMPTY_HTML, Html, escape
from games.rendering.addresses import person_address
from games.rendering.faces import face_html
from games.words.levels import level_words
from games.words.lookup import Words
from infrastructure.bidi import isolate


class SeatedPlayer(NamedTuple):
    """The part of a ``Person`` that a plate shows. The time bank, which most moves change, is not part of it."""

    seat: int
    name: str
    colour: str
    kind: str
    user_id: int | None
    away: bool
    guest: bool
    late: bool
    bot: str
    rating: str = ""  # in a rated match, as text


class Plate(NamedTuple):
    """The content of a plate, by which its markup is cached."""

    person: SeatedPlayer
    ready: bool = False
    host: bool = False
    open_table: bool = False
    partner: str = ""  # a name
    ending: str = ""  # as ``match_ending`` returns it
    passed: bool = False  # the last move is a pass of this seat
    absent: str = ""  # the mark of a seat in which a bot plays for a person


@lru_cache(maxsize=8192)
def plate_html(plate: Plate, words: Words) -> tuple[Html, Html]:
    """Return the markup of a seat before the sign of the turn, and from there to the score."""
    person, seat = plate.person, plate.person.seat
    classes = Html("seat" + (" passed" if plate.passed else "") + (" away" if person.away else ""))
    return (
        Html(
            f'<li id="seat{seat}" class="{classes}"><div>{face_html(person.name, person.colour)}{_name_html(person)}'
        ),
        Html(f"</div>{_marks_html(plate, words)}"),
    )


def _name_html(person: SeatedPlayer) -> Html:
    """Return the name, for a person as a link to their page, where they can also be blocked."""
    name = escape(isolate(person.name))
    if not person.user_id:
        return Html(f'<span class="name" translate="no">{name}</span>')
    return Html(f'<a class="name" translate="no" href="{person_address(person.user_id)}" target="_blank">{name}</a>')


def free_seat_html(plate: Plate, words: Words) -> Html:
    seat = plate.person.seat
    button = Html(
        f'<button class="button button-small" form="sit" name="index" value="{seat}">{words["sit"]}</button>'
    )
    return Html(
        f'<li id="seat{seat}" class="seat free"><div><span class="name">{words["free_seat"]}</span>'
        f"</div>{button if plate.open_table else ''}</li>"
    )


def _marks_html(plate: Plate, words: Words) -> Html:
    person = plate.person
    marks = []
    if plate.ending:  # the style sheet draws a crown or a goat before it
        key = "winner" if plate.ending == "won" else "loser"
        marks.append(_explained_mark(key, words[key], Html(f" mark-{escape(plate.ending)}")))
    if plate.partner:
        marks.append(_mark_html(words.fill("partner", name=escape(plate.partner)), Html(" mark-partner")))
    if plate.absent:
        marks.append(_explained_mark(plate.absent, words[plate.absent]))
    elif person.kind == Occupant.BOT and person.user_id is None:
        marks.append(_explained_mark(person.bot, level_words(words.variant, words.language)[person.bot].seat_mark))
    if person.rating:
        rating = Html(f"<span>{words['rated']} </span>{escape(person.rating)}")
        marks.append(_explained_mark("rated", rating))
    if person.guest and person.kind == Occupant.HUMAN:
        marks.append(_explained_mark("guest", words["guest"]))
    if plate.host:
        marks.append(_mark_html(words["host"]))
    if person.late:
        marks.append(_explained_mark("late", words["late"], Html(" mark-late")))
    if person.away:
        marks.append(_mark_html(words["away"], Html(" mark-away")))
    if plate.ready:
        marks.append(_mark_html(words["is_ready"], Html(" mark-ready")))
    return Html(f'<span class="marks">{"".join(marks)}</span>' if marks else "")


def _mark_html(text: Html, classes: Html = EMPTY_HTML) -> Html:
    return Html(f'<span class="mark{classes}">{text}</span>')


def _explained_mark(key: str, text: Html, classes: Html = EMPTY_HTML) -> Html:
    """Return a mark that opens the popover which explains it (``explanations``)."""
    return Html(f'<button class="mark{classes}" popovertarget="about-{escape(key)}">{text}</button>')
