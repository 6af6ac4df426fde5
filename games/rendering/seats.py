"""The seats around the table. The style sheet places them on the screen, by the page's viewer."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from games.engine.events import MatchEnded, Standing
from games.engine.tiles import Tile
from games.engine.view import View
from games.enums import Occupant, SeatState, Status
from games.html import EMPTY_HTML, Html, escape, mark_trusted
from games.match.table import Person, Table
from games.ratings.skill import Skill
from games.rendering.clock import turn_clock
from games.rendering.pieces import sides_class, tile_name, unlabelled_upright_tile
from games.rendering.plates import Plate, SeatedPlayer, free_seat_html, plate_html
from games.rendering.standing import explained_score, progress_bar, progress_of
from games.rendering.zones import Element, Zone
from games.words.lookup import Words, number_text
from infrastructure.bidi import isolate

SEAT_END, CLOSING_TAG = Html("</li>"), Html("</ul>")


class ScoreAndTiles(NamedTuple):
    """The score and the tiles of a seat, by which their markup is cached."""

    seat: int
    score: str
    tiles: int = 0  # in hand
    face_up: tuple[Tile, ...] | None = None  # the hand, once everybody may see it
    progress: tuple[int, int] | None = None  # points on the way to the score that ends the match, and that score
    gained: int | None = None  # points of its side at the end of the round


def seats_zone(table: Table, view: View | None, words: Words) -> Zone:
    """Return every seat in order. Tiles are face up where everybody may see them: once the round is over."""
    opening = Html(f'<ul id="seats" role="list" aria-label="{words["players"]}">')
    return (
        opening,
        *(_seats_before_deal(table, words) if view is None else _seats_in_match(table, view, words)),
        CLOSING_TAG,
    )


def _seat(plate: Plate, holding: tuple[Element, ...], clock: Html | None, words: Words) -> Element:
    """Return a seat, with its clock if it is to move. A part that a move does not change stays the same object."""
    seat = plate.person.seat
    if plate.person.kind == Occupant.EMPTY:
        return Element(f"seat{seat}", free_seat_html(plate, words))
    begin, marks = plate_html(plate, words)
    if clock is None:
        turn_sign, timer = _idle_signs(seat)
    else:  # the style sheet draws an arrow before the name
        turn_sign, timer = _turn_sign(seat, Html(f"<i> {words['is_to_move']}</i>")), _clock(seat, clock)
    return Element(f"seat{seat}", (begin, turn_sign, marks, *holding, timer, SEAT_END))


@cache
def _idle_signs(seat: int) -> tuple[Element, Element]:
    return _turn_sign(seat, EMPTY_HTML), _clock(seat, EMPTY_HTML)


def _turn_sign(seat: int, sign: Html) -> Element:
    return Element(f"to-move{seat}", Html(f'<span id="to-move{seat}">{sign}</span>'))


def _clock(seat: int, clock: Html) -> Element:
    return Element(f"clock{seat}", Html(f'<span id="clock{seat}">{clock}</span>'))


def name_of(table: Table, seat: int) -> Html:
    """Return the escaped name at a seat, for sentences."""
    return escape(isolate(table.people[seat].name))


def name_or_you(table: Table, seat: int, viewer: int | None, words: Words) -> Html:
    """Return the name of a player, "You" for the player at that seat (``viewer``)."""
    return words["own_name"] if seat == viewer else name_of(table, seat)


def sentence_about_seat(
    table: Table, seat: int, viewer: int | None, phrase_key: str, words: Words, **parts: Html | int
) -> Html:
    """Return a sentence about a seat: ``Anna drew a tile.``, for the player there (``viewer``) ``You drew a tile.``"""
    if seat == viewer and f"own_{phrase_key}" in words:
        return words.fill(f"own_{phrase_key}", **parts)
    return words.fill(phrase_key, name=name_of(table, seat), **parts)


def sides_of(table: Table, words: Words) -> tuple[int, ...]:
    """Return the side of each seat."""
    return words.rules.sides(table.seat_count, dict(table.agreed.options))


def _seats_before_deal(table: Table, words: Words) -> list[Element]:
    open_table = table.status == Status.OPEN
    host = table.host_seat if open_table else None
    plates = [Plate(player, host=player.seat == host, open_table=open_table) for player in _seated_players(table)]
    return [_seat(plate, (), None, words) for plate in plates]


def _seats_in_match(table: Table, view: View, words: Words) -> list[Element]:
    is_over = view.round.over is not None or view.match_over is not None
    to_move = None if is_over else view.round.to_move
    clock = turn_clock(table.timer, words)
    last = view.round.moves[-1] if view.round.moves and not is_over else None
    passed = last.seat if last is not None and last.act == "pass" else None
    elements = []
    for person, player, seat in zip(table.people, _seated_players(table), view.seats, strict=True):
        number = seat.seat
        plate = Plate(
            player,
            ready=is_over and view.match_over is None and person.ready,
            partner=_partner_names(table, view.setup.sides, number),
            ending=match_ending(view.match_over, number),
            passed=number == passed,
            absent=_absence_mark(view, person),
        )
        holding = ScoreAndTiles(
            number,
            seat.score,
            seat.count,
            seat.hand if is_over or view.viewer is None else None,
            progress_of(seat.standing, view.target),
            None if view.round.over is None else view.round.over.points[view.setup.sides[number]].total,
        )
        elements.append(_seat(plate, _score_and_tiles(holding, words), clock if number == to_move else None, words))
    return elements


def _absence_mark(view: View, person: Person) -> str:
    """Return the mark of a seat in which a bot plays for a person, "" for others. After the match no bot plays."""
    if person.seat in view.forfeited:
        return "removed" if person.removed else "forfeited"
    if view.match_over is not None:
        return ""
    stands_in = person.kind == Occupant.BOT and person.user_id is not None
    return "plays_for" if stands_in or person.seat in view.absent else ""


def rating_text(table: Table, person: Person) -> str:
    """Return the rating of a player of a rated match, with a question mark while it is provisional; "" for others."""
    if not table.agreed.rated or person.kind != Occupant.HUMAN or person.user_id is None or person.guest:
        return ""
    skill = Skill() if person.skill is None else Skill(*person.skill)
    return f"{skill.rating}{'?' if skill.is_provisional else ''}"


def _seated_players(table: Table) -> list[SeatedPlayer]:
    """Return what the plates show of the players.

    Guests are marked in rated matches, which bring them no points, and where they are not the majority of people.
    """
    people = [person for person in table.people if person.user_id is not None]
    marks_guests = table.agreed.rated or 2 * sum(person.guest for person in people) <= len(people)
    return [_seated_player(table, person, marks_guests=marks_guests) for person in table.people]


def _seated_player(table: Table, person: Person, *, marks_guests: bool) -> SeatedPlayer:
    return SeatedPlayer(
        person.seat,
        person.name,
        person.colour,
        person.kind,
        person.user_id,
        person.away,
        person.guest and marks_guests,
        person.state == SeatState.LATE,
        person.bot,
        rating_text(table, person),
    )


def _partner_names(table: Table, sides: tuple[int, ...], seat: int) -> str:
    """Return the names of a seat's partners."""
    partners = [other for other in table.people if sides[other.seat] == sides[seat] and other.seat != seat]
    return ", ".join([isolate(partner.name) for partner in partners])


def match_ending(match_end: MatchEnded | None, seat: int) -> str:
    """Return how the match ended for a seat: ``won``, ``lost`` in a match with losers, or ""."""
    if match_end is None or not match_end.places:
        return ""
    if seat in match_end.losers:
        return "lost"
    return "won" if match_end.places[seat] == 1 else ""


@lru_cache(maxsize=1024)
def _score_and_tiles(holding: ScoreAndTiles, words: Words) -> tuple[Element, ...]:
    """Return the score and the tiles and, for the eyes alone, how far the score is on its way to the aim."""
    if not holding.score:
        return ()
    seat, progress = holding.seat, holding.progress
    html = Html(
        explained_score(holding.score, progress, words) + _round_result(holding, words) + _tiles_html(holding, words)
    )
    element = Element(f"held{seat}", Html(f'<span id="held{seat}">{html}</span>'))
    return (element,) if progress is None else (element, Element(f"way{seat}", progress_bar(seat, *progress)))


def _round_result(holding: ScoreAndTiles, words: Words) -> Html:
    """Return the result of the round: the pips or numbers left in the hand, and the points for them."""
    if holding.gained is None:
        return EMPTY_HTML
    tiles = holding.face_up or ()
    number = sum(map(sum, tiles))
    remaining = Html(f"{words.count('in_hand' if sides_class(tiles) else 'pips', number)} " if number else "")
    points = Html(f"+{holding.gained}") if holding.gained > 0 else number_text(holding.gained)
    good = Html(' class="gained-won"' if words.rules.merit(Standing(holding.gained)) > 0 else "")
    return Html(f'<span class="round-told">{remaining}<b{good}>{points}</b></span>')


def _tiles_html(holding: ScoreAndTiles, words: Words) -> Html:
    face_up, count = holding.face_up, holding.tiles
    if face_up is not None:
        tiles = Html("".join(map(unlabelled_upright_tile, face_up)))
        label = Html(f' role="img" aria-label="{tile_list(face_up)}"' if face_up else "")
        return Html(f'<span class="face-up{sides_class(face_up)}"{label}>{tiles}</span>')
    # As wide as the row, in em of the style sheet; of many in a narrow plate, as many show as fit.
    backs = Html(f'<svg width="{count}em" aria-hidden="true"><use href="#backs"/></svg>' if count else "")
    unit = mark_trusted(words.count("tiles", count).removeprefix(str(count)))
    return Html(f"{backs}<small>{count}<i>{unit}</i></small>")


def tile_list(tiles: tuple[Tile, ...]) -> Html:
    """Return tiles as text: ``6-4, 1-1``."""
    return Html(", ".join(map(tile_name, tiles)))
