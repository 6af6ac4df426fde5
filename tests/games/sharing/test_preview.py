"""The social preview of a match: the table as a PNG, as a stranger may see it."""

from __future__ import annotations

import asyncio
import re
import struct
from concurrent.futures import Future
from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.errors import Refused
from games.models import Match, Seat
from games.puzzles import SOLVER_SEAT, daily, first_puzzles
from games.rendering.layouts import drawing_of
from games.rendering.pieces import tile_key
from games.review import steps
from games.sharing import png_worker as sharing_worker
from games.sharing.png import svg_to_png
from games.sharing.preview import draw_social_preview as preview_of
from games.sharing.preview import puzzle_preview, style_sheet, svg_text
from games.words import offered_variants
from games.words.lookup import words_for
from infrastructure.font_metrics import FONT
from infrastructure.limit_settings import parse_place_limits, parse_rate_limits
from infrastructure.limits import PLACE_RETRY_SECONDS, LimitExceeded, limits
from tests.games import tables
from tests.games.reviewed import import_recording, play_random_moves, recording_files, stop_match, view_at

LETTERS = "ÁÉÍÓÖŐÚÜŰáéíóöőúüűČĎĚŇŘŠŤŮŽčďěňřšťůžĹĽŔÄÔĺľŕäôĄĆĘŁŃŚŹŻąćęłńśźżÀÈÌÒÙàèìòù−…"
UNKNOWN = "\ue123"
HOSTILE = '"><script>&]]>\x00\x1b<image href="/etc/passwd"/>'


def address(match: Match) -> str:
    return reverse("match-social-preview", args=[match.slug])


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def svg_of(match: Match, *, view: bool = True) -> str:
    step = steps.load_match_steps(match.pk, match.version).steps[-1]
    table = steps.table_at(match.pk, step)
    seen = view_at(table, step, None, open_hands=False) if view else None
    return preview_of(table, seen, words_for(match.variant, "en"))


def drawn(letters: str) -> bytes:
    line = svg_text("name", letters, 2, 30, 30)
    return svg_to_png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">{line}</svg>', style_sheet(FONT)
    )


def test_every_letter_of_the_languages_of_the_site_is_drawn_as_itself() -> None:
    pictures = {letter: drawn(letter) for letter in (*LETTERS, UNKNOWN, "")}
    assert len(set(pictures.values())) >= len(LETTERS) + 1


@pytest.mark.parametrize("variant", offered_variants())
def test_the_preview_of_a_match_that_is_over_shows_its_last_table(variant: str) -> None:
    match = import_recording(recording_files(variant)[0])
    svg = svg_of(match)
    step = steps.load_match_steps(match.pk, match.version).steps[-1]
    layout = view_at(steps.table_at(match.pk, step), step, None, open_hands=False).round.layout
    drawing = drawing_of(layout)
    tiles = [drawing.tile(laid) for laid in drawing.arrange().tiles]
    assert len(tiles) > 5
    assert "".join(tiles) in svg
    assert all(f">{seat.name}<" in svg for seat in match.seats.all())


def test_it_is_a_png_of_the_size_that_links_show_and_lasts_once_the_match_is_over(client: Client) -> None:
    match = stop_match(play_random_moves("kozel", 3))
    first = client.get(address(match))
    assert first.status_code == 200
    assert first["Content-Type"] == "image/png"
    assert size_of(first.content) == (1200, 630)
    assert first["Cache-Control"] == "public, max-age=3600"
    assert not client.cookies
    again = client.get(address(match), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(address(match), {"at": "2"})["ETag"] != first["ETag"]


def test_names_are_escaped_in_the_preview() -> None:
    match = stop_match(play_random_moves("kozel", 3))
    for index, name in enumerate((HOSTILE[:30], "W" * 30)):
        seat = match.seats.get(index=index)
        User.objects.filter(pk=seat.user_id).update(name=name)
        Seat.objects.filter(pk=seat.pk).update(name=name)
    svg = svg_of(match)
    root = fromstring(svg)
    assert "script" not in {part.tag.rpartition("}")[2] for part in root.iter()}
    assert any((part.text or "").startswith('"><script>&]]>') for part in root.iter())
    assert size_of(svg_to_png(svg, style_sheet(FONT))) == (1200, 630)


def test_of_a_running_match_it_shows_who_plays_and_a_step_only_if_asked(client: Client) -> None:
    match = play_random_moves("kozel", 5)
    svg = svg_of(match, view=False)
    step = steps.load_match_steps(match.pk, match.version).steps[-1]
    assert "Live now" in svg
    unasked = client.get(address(match))
    assert unasked["Cache-Control"] == "private, no-cache"
    before = unasked["ETag"]
    user = match.seats.get(index=match.to_move).user
    assert client.get(address(match), {"at": str(step.number)})["ETag"] != before
    signed_in = tables.browser_of(user)
    assert signed_in.get(address(match))["ETag"] == before
    assert client.get(address(match), {"at": str(step.number), "as": "0"}).status_code == 404


@pytest.mark.parametrize("variant", [game for game in offered_variants() if first_puzzles(game)])
def test_the_preview_of_a_puzzle_shows_what_its_solver_sees(variant: str) -> None:
    puzzle = first_puzzles(variant)[0]
    svg = puzzle_preview(puzzle.view, "Puzzle")
    state, visible = puzzle.position, svg.removeprefix(svg[: svg.index("</defs>")])
    hand = {f"v{tile_key(tile)}" for tile in state.hands[SOLVER_SEAT]}
    assert set(re.findall(r'href="#(v\w+)"', visible)) == hand
    drawing = drawing_of(puzzle.view.round.layout)
    on_table = "".join(drawing.tile(laid) for laid in drawing.arrange().tiles)
    assert on_table in visible
    others_drawn = set(re.findall(r'href="#\w?(\d+)"', visible.replace(on_table, "")))
    assert {tile_key(tile) for tile in state.hands[SOLVER_SEAT]} >= others_drawn
    assert size_of(svg_to_png(svg, style_sheet(FONT))) == (1200, 630)


def test_the_image_of_a_puzzle_is_public_and_cached(client: Client) -> None:
    row = daily.puzzle_of_day("kozel", timezone.now())
    assert row
    answer = client.get(f"/puzzles/kozel/{row.day}/card.png")
    assert size_of(answer.content) == (1200, 630)
    assert answer["Cache-Control"] == "public, max-age=86400"
    assert not client.cookies
    for day in ("2001-01-01", "today", "2999-01-01"):
        assert client.get(f"/puzzles/kozel/{day}/card.png").status_code == 404
    assert client.get(f"/puzzles/chess/{row.day}/card.png").status_code == 404


@pytest.mark.parametrize("at", ["0", "x", "-1", "", "99999", "1e3", "٣"])
def test_unknown_step_has_no_preview(client: Client, at: str) -> None:
    match = stop_match(play_random_moves("kozel", 2))
    assert client.get(address(match), {"at": at}).status_code == 404


def test_every_table_has_a_preview(client: Client) -> None:
    match = tables.open_table([tables.person("Ann")], bots=1)
    assert client.get(address(match)).status_code == 200
    Match.objects.filter(pk=match.pk).update(status=Match.Status.STOPPED)
    assert client.get(address(match)).status_code == 200
    assert client.get(reverse("match-social-preview", args=["no-such-match"])).status_code == 404


def test_previews_are_cached_and_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Future[bytes]] = []

    def begin(*_work: object) -> Future[bytes]:
        jobs.append(Future())
        return jobs[-1]

    monkeypatch.setattr(sharing_worker._workers(), "submit", begin)

    async def ask() -> bytes:
        askers = [asyncio.ensure_future(sharing_worker.render_png("same", "<svg/>", "")) for _ in range(5)]
        rest = [
            asyncio.ensure_future(sharing_worker.render_png(f"other {n}", "<svg/>", ""))
            for n in range(sharing_worker.MAX_WAITING_PREVIEWS - 1)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Refused):
            await sharing_worker.render_png("one more", "<svg/>", "")
        askers[0].cancel()
        await asyncio.sleep(0)
        for future in jobs:
            future.set_result(b"drawn")
        await asyncio.gather(*rest)
        return await askers[1]

    assert asyncio.run(ask()) == b"drawn"
    assert len(jobs) == sharing_worker.MAX_WAITING_PREVIEWS


def test_previews_are_limited_per_address(settings: Settings) -> None:
    settings.PLACES = settings.PLACES | {"cards": parse_place_limits("2 address")}
    settings.RATES = settings.RATES | {"cards": parse_rate_limits("4+1/m address")}
    jobs = sharing_worker._jobs()
    here, there = "192.0.2.1", "192.0.2.2"
    for name in ("one", "two", "two"):
        jobs.get_or_start(name, Future, address=here)
    with pytest.raises(LimitExceeded) as refused:
        jobs.get_or_start("three", Future, address=here)
    assert refused.value.seconds == PLACE_RETRY_SECONDS
    jobs.get_or_start("three", Future, address=there)
    jobs.find_job("one").set_result(b"drawn")
    jobs.get_or_start("four", Future, address=here)
    with pytest.raises(LimitExceeded) as refused:
        jobs.get_or_start("five", Future, address=here)
    assert 50 < refused.value.seconds <= 60


def test_too_many_previews_get_a_retry_time(client: Client, settings: Settings) -> None:
    settings.PLACES = settings.PLACES | {"cards": parse_place_limits("1 address")}
    match = stop_match(play_random_moves("kozel", 3))
    with limits.hold_place("cards", address="127.0.0.1"):
        answer = client.get(f"/match/{match.slug}/card.png?at=1")
        assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    assert client.get(f"/match/{match.slug}/card.png?at=1").status_code == 200
