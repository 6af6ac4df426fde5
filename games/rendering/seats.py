"""The seats around the table. The style sheet places them on the screen, by the page's viewer."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from games.engine.events import MatchEnded, Standing
from games.engine.tiles import Tile
from games.engine.view import View
from games.enums import Occupant, SeatState, Status
from games.html import Html, escape, trusted
from games.match.table import Person, Table
from games.rendering.changes import Element, Zone
from games.rendering.clock import turn_clock
from games.rendering.pieces import named_upright, sides, tile_name
from games.rendering.plates import Plate, Sitter, drawn, free_seat
from games.rendering.standing import bar, explained_score, way_of
from games.words.lookup import Words, number_text
from infrastructure.bidi import isolate

NOTHING = Html("")
END, CLOSING = Html("</li>"), Html("</ul>")


class Holding(NamedTuple):
    """What a seat has: its score and so many tiles. ``face_up`` are these once everybody may see them.

    ``way`` are its points on the way to the score that ends the match, and that score. ``gained`` are the points of
    its side at the end of the round.
    """

    seat: int
    score: str
    held: int = 0
    face_up: tuple[Tile, ...] | None = None
    way: tuple[int, int] | None = None
    gained: int | None = None


def seats(table: Table, view: View | None, words: Words) -> Zone:
    """Return every seat in order. Tiles are face up where everybody may see them: once the round is over."""
    seated = _waiting(table, words) if view is None else _playing(table, view, words)
    return _opening(words), *seated, CLOSING


@cache
def _opening(words: Words) -> Html:
    return Html(f'<ul id="seats" role="list" aria-label="{words["players"]}">')


def _seat(plate: Plate, held: tuple[Element, ...], clock: Html | None, words: Words) -> Element:
    """Return a seat, with its clock if it is to move. What a move leaves as it is stays the same object."""
    seat = plate.person.seat
    if plate.person.kind == Occupant.EMPTY:
        return Element(f"seat{seat}", free_seat(plate, words))
    begin, marks = drawn(plate, words)
    turn, timer = _at_rest(seat) if clock is None else (_to_move(seat, words), _clock(seat, clock))
    return Element(f"seat{seat}", (begin, turn, marks, *held, timer, END))


@cache
def _to_move(seat: int, words: Words) -> Element:
    """Return what tells whose turn it is. The style sheet draws an arrow before the name."""
    return Element(f"to-move{seat}", Html(f'<span id="to-move{seat}"><i> {words["is_to_move"]}</i></span>'))


@cache
def _at_rest(seat: int) -> tuple[Element, Element]:
    """Return the turn and the clock of a player who waits."""
    return Element(f"to-move{seat}", Html(f'<span id="to-move{seat}"></span>')), _clock(seat, NOTHING)


def _clock(seat: int, clock: Html) -> Element:
    return Element(f"clock{seat}", Html(f'<span id="clock{seat}">{clock}</span>'))


def name_of(table: Table, seat: int) -> Html:
    """Return the escaped name at a seat, for sentences."""
    return escape(isolate(table.people[seat].name))


def sides_of(table: Table, words: Words) -> tuple[int, ...]:
    """Return the side of each seat."""
    return words.rules.sides(table.seat_count, dict(table.agreed.options))


def _waiting(table: Table, words: Words) -> list[Element]:
    open_table = table.status == Status.OPEN
    host = table.host_seat if open_table else None
    plates = [Plate(_sitter(person), host=person.seat == host, open_table=open_table) for person in table.people]
    return [_seat(plate, (), None, words) for plate in plates]


def _playing(table: Table, view: View, words: Words) -> list[Element]:
    over = view.round.over is not None or view.match_over is not None
    pause = over and view.match_over is None
    to_move = None if over else view.round.to_move
    clock = turn_clock(table.timer, words)
    last = view.round.moves[-1] if view.round.moves and not over else None
    passed = last.seat if last is not None and last.act == "pass" else None
    partners = _partners(tuple([person.name for person in table.people]), view.setup.sides)
    shows = over or view.viewer is None
    seated = []
    for person, seat, partner in zip(table.people, view.seats, partners, strict=True):
        number = seat.seat
        plate = Plate(
            _sitter(person),
            ready=pause and person.ready,
            partner=partner,
            ending=ending_of(view.match_over, number),
            passed=number == passed,
            wins=_wins(table, view.match_over, number),
            absent=_absent(view, person),
        )
        way, face_up = way_of(seat.standing, view.target), seat.hand if shows else None
        held = _held(Holding(number, seat.score, seat.count, face_up, way, _gained(view, number)), words)
        seated.append(_seat(plate, held, clock if number == to_move else None, words))
    return seated


def _absent(view: View, person: Person) -> str:
    """Return the mark of a seat in which a bot plays for a person, "" for others. After the match no bot plays."""
    if person.seat in view.forfeited:
        return "removed" if person.removed else "forfeited"
    if view.match_over is not None:
        return ""
    stands_in = person.kind == Occupant.BOT and person.user_id is not None
    return "plays_for" if stands_in or person.seat in view.absent else ""


def _sitter(person: Person) -> Sitter:
    return Sitter(
        person.seat,
        person.name,
        person.colour,
        person.kind,
        person.user_id,
        person.away,
        person.guest,
        person.state == SeatState.LATE,
        person.bot,
    )


@lru_cache(maxsize=2048)
def _partners(names: tuple[str, ...], sides: tuple[int, ...]) -> tuple[str, ...]:
    """Return for each seat the names of its partners."""
    return tuple(
        ", ".join([isolate(name) for other, name in enumerate(names) if sides[other] == side and other != seat])
        for seat, side in enumerate(sides)
    )


def ending_of(over: MatchEnded | None, seat: int) -> str:
    """Return what the end of the match made of a seat: ``won``, ``lost`` in a match with losers, or ""."""
    if over is None or not over.places:
        return ""
    if seat in over.losers:
        return "lost"
    return "won" if over.places[seat] == 1 else ""


def _gained(view: View, seat: int) -> int | None:
    over = view.round.over
    return None if over is None else over.points[view.setup.sides[seat]].total


def _wins(table: Table, over: MatchEnded | None, seat: int) -> int | None:
    """Return the matches of the series that the seat has won with this one, None without a series."""
    if not table.wins:
        return None
    if over is None or not over.places:
        return table.wins[seat]
    lost = seat in over.losers if over.losers else over.places[seat] > 1
    return table.wins[seat] + (not lost)


def _told(holding: Holding, words: Words) -> Html:
    """Return what the end of the round brought: the pips left in the hand, and the points for them."""
    if holding.gained is None:
        return Html("")
    left = sum(map(sum, holding.face_up or ()))
    pips = Html(f"{words.count('pips', left)} " if left else "")
    gained = Html(f"+{holding.gained}") if holding.gained > 0 else number_text(holding.gained)
    good = Html(' class="gained-won"' if words.rules.merit(Standing(holding.gained)) > 0 else "")
    return Html(f'<span class="round-told">{pips}<b{good}>{gained}</b></span>')


@lru_cache(maxsize=8192)
def _held(holding: Holding, words: Words) -> tuple[Element, ...]:
    """Return the score and the tiles and, for the eyes alone, how far the score is on its way to the aim."""
    if not holding.score:
        return ()
    seat, way = holding.seat, holding.way
    held = Html(explained_score(holding.score, way, words) + _told(holding, words) + _tiles(holding, words))
    shown = Element(f"held{seat}", Html(f'<span id="held{seat}">{held}</span>'))
    return (shown,) if way is None else (shown, Element(f"way{seat}", bar(seat, *way)))


def _tiles(holding: Holding, words: Words) -> Html:
    face_up, count = holding.face_up, holding.held
    if face_up is not None:
        drawn = Html("".join(map(named_upright, face_up)))
        named = Html(f' role="img" aria-label="{spoken(face_up)}"' if face_up else "")
        return Html(f'<span class="face-up{sides(face_up)}"{named}>{drawn}</span>')
    # As wide as the row, in em of the style sheet; of many in a narrow plate, as many show as fit.
    backs = Html(f'<svg width="{count}em" aria-hidden="true"><use href="#backs"/></svg>' if count else "")
    unit = trusted(words.count("tiles", count).removeprefix(str(count)))
    return Html(f"{backs}<small>{count}<i>{unit}</i></small>")


def spoken(tiles: tuple[Tile, ...]) -> Html:
    """Return tiles as text: ``6-4, 1-1``."""
    return Html(", ".join(map(tile_name, tiles)))
