"""All puzzles beyond those of the day: which one comes next, how difficult they are, and what their pages hide."""

from __future__ import annotations

import re
from copy import deepcopy
from datetime import UTC, datetime
from html import unescape
from importlib import import_module
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from games.explanations.rendering import explanation
from games.lessons.rendering import learner_names, lesson_table
from games.models import Puzzle, PuzzleAttempt, PuzzleDay
from games.puzzles import SOLVER_SEAT, daily, first_puzzles, pool, puzzle_from_data, puzzle_to_data
from games.puzzles.reasons import puzzle_facts
from games.rendering.pieces import tile_key
from games.templatetags.rules import unbroken_tiles
from games.words.lookup import words_for
from tests.games import tables
from tests.games.sharing.test_preview import size_of

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)
CHANGING = re.compile(r'value="\w{64}"|nonce="[^"]+"|\?v=\w+')  # parts that differ between two responses


@pytest.fixture
def kozel() -> list[Puzzle]:
    """Store three puzzles of Kozel. One of them is today's."""
    daily.add_puzzles("kozel", first_puzzles("kozel")[:3])
    return list(Puzzle.objects.filter(variant="kozel").order_by("number"))


def url(row: Puzzle) -> str:
    return f"/puzzles/{row.variant}/{row.number}/"


def moves_of(row: Puzzle) -> list[str]:
    return [move[0] for move in row.data["moves"]]


def number_after(client: Client, row: Puzzle) -> int:
    """Follow the link to another puzzle."""
    link = re.search(r'href="(/puzzles/\S+another/\?after=\d+)"', client.get(url(row)).text)
    assert link
    return int(client.get(link[1])["Location"].strip("/").rpartition("/")[2])


def pick(rows: list[Puzzle], solved: set[int], share: float = 0.5, **options: int) -> int:
    row = pool.pick_puzzle([rows[0].variant], solved, share, NOON, Random(), **options)
    assert row
    return row.number


def test_the_next_puzzle_is_unsolved_while_there_are_others(kozel: list[Puzzle]) -> None:
    today, second, third = kozel
    assert {pick(kozel, set()) for _ in range(20)} <= {2, 3}
    assert pick(kozel, {second.pk}) == 3
    assert pick(kozel, set(), after=third.pk) == 2
    assert pick(kozel, {second.pk, third.pk}) == 1
    assert pick(kozel, {today.pk, second.pk, third.pk}, after=today.pk) in {2, 3}
    assert pick([today], {today.pk, second.pk, third.pk}) in {1, 2, 3}


def test_the_next_puzzle_is_a_little_harder_after_a_solution_and_easier_after_a_mistake() -> None:
    for number in range(3, 98):
        Puzzle.objects.create(variant="kozel", number=number, data={}, tried=94, solved_first=number - 3)
    rows = {row.number: row for row in Puzzle.objects.all()}
    assert [pool.solved_share(rows[number]) for number in (3, 50, 97)] == [0.03, 0.5, 0.97]
    for solved, target in ((True, 0.4), (False, 0.6)):
        share = pool.wanted_share(rows[50], solved=solved)
        assert share == pytest.approx(target)
        picked = {pick([*rows.values()], set(), share) for _ in range(20)}
        assert picked <= set(range(round(100 * target) - 6, round(100 * target) + 7))
    assert pool.wanted_share(None, solved=False) == 0.5


def test_visitors_of_all_kinds_go_on_with_unsolved_puzzles(kozel: list[Puzzle]) -> None:
    guest, account = tables.person("Guest", is_guest=True), tables.person("Ann")
    for user in (None, guest, account):
        client = Client() if user is None else tables.browser_of(user)
        first = int(client.get("/puzzles/kozel/another/")["Location"].strip("/").rpartition("/")[2])
        row = kozel[first - 1]
        page = client.post(url(row), {"move": moves_of(row)[0]}, follow=True).text
        assert "Another puzzle" in page
        assert "points more than the next best move" in page
        assert number_after(client, row) == ({2, 3} - {first}).pop()
    fresh_session = tables.browser_of(account)
    solved = PuzzleAttempt.objects.get(user=account).puzzle
    assert solved
    assert {number_after(fresh_session, kozel[0]) for _ in range(10)} == {2, 3} - {solved.number}


def test_a_solution_is_explained(client: Client, kozel: list[Puzzle]) -> None:
    """Another attempt gets no sentence that names the solution."""
    row = kozel[0]
    puzzle, (best, *rest) = puzzle_from_data(row.data), moves_of(row)
    explained = puzzle_facts(puzzle, best)
    assert 0 < len(explained.facts) <= 2
    assert explained == puzzle_facts(puzzle, best), "the same for every visitor"
    sentences = explanation(
        explained.facts,
        lesson_table(puzzle.view, learner_names("")),
        words_for("kozel", "en"),
        better=best,
        worse=rest[0],
        reader=SOLVER_SEAT,
        is_better_played=True,
    )
    page = unescape(client.get(url(row), {"move": best}).text)
    assert all(unbroken_tiles(sentence) in page for sentence in sentences)
    for attempt in rest:
        assert all(not fact.is_about_better for fact in puzzle_facts(puzzle, attempt).facts)


def test_a_failed_puzzle_can_be_left_for_another(client: Client, kozel: list[Puzzle]) -> None:
    day = daily.puzzle_of_day("kozel", NOON)
    assert day
    daily_url = f"/puzzles/kozel/{day.day}/"
    assert "Another puzzle" not in client.get(daily_url).text
    assert "Another puzzle" in client.post(daily_url, {"move": moves_of(kozel[0])[-1]}, follow=True).text
    assert "Another puzzle" in client.get(url(kozel[1])).text


def test_puzzles_of_any_game_lead_to_puzzles_of_any_game(client: Client, kozel: list[Puzzle]) -> None:
    assert "games=all" in client.get("/puzzles/another/")["Location"]
    row = kozel[1]
    address = f"{url(row)}?games=all"
    assert f'href="/puzzles/another/?after={row.pk}"' in client.get(address).text
    answer = client.post(address, {"move": moves_of(row)[0]})
    page = client.get(answer["Location"]).text
    assert f'href="/puzzles/another/?after={row.pk}"' in page
    assert f'href="{address}">Again' in page
    assert 'href="/puzzles/another/"' in client.get("/puzzles/").text
    assert 'href="/puzzles/kozel/another/"' in client.get("/puzzles/kozel/").text


def test_only_first_attempts_count_for_the_difficulty(client: Client, kozel: list[Puzzle]) -> None:
    row, ann = kozel[1], tables.browser_of(tables.person("Ann"))
    best, *_rest, worst = moves_of(row)
    for browser, moves in ((client, (worst, best, best)), (ann, (best, worst))):
        for move in moves:
            browser.post(url(row), {"move": move})
    row.refresh_from_db()
    assert (row.tried, row.solved_first) == (2, 1)
    tables.browser_of(PuzzleAttempt.objects.get().user).post(url(row), {"move": best})
    client.post(url(row), {"move": "nonsense"})
    row.refresh_from_db()
    assert (row.tried, row.solved_first) == (2, 1)


def test_an_attempt_on_the_day_counts_as_one_at_the_puzzle(kozel: list[Puzzle]) -> None:
    row, ann = kozel[0], tables.person("Ann")
    day = daily.puzzle_of_day("kozel", NOON)
    assert day
    daily.count_attempt(day, ann.pk, solved=True, now=NOON)
    tables.browser_of(ann).post(url(row), {"move": moves_of(row)[0]})
    row.refresh_from_db()
    assert row.tried == 0
    assert Puzzle.objects.filter(pool.solved_by(ann.pk)).distinct().get() == row
    assert PuzzleAttempt.objects.filter(user=ann).count() == 2


@pytest.mark.parametrize(
    ("tried", "solved_first", "word"), [(9, 0, ""), (10, 0, "hard"), (20, 10, "medium"), (20, 18, "easy")]
)
def test_difficulty_is_shown_once_enough_people_have_tried(
    client: Client, kozel: list[Puzzle], tried: int, solved_first: int, word: str
) -> None:
    Puzzle.objects.filter(number=2).update(tried=tried, solved_first=solved_first)
    page = client.get(url(kozel[1])).text
    assert [level for level in ("easy", "medium", "hard") if f"· {level}" in page] == ([word] if word else [])
    solved = client.get(url(kozel[1]), {"move": moves_of(kozel[1])[0]}).text
    assert ("solved it at the first try" in solved) is bool(word)


def test_an_unsolved_page_is_the_same_whatever_the_solution_and_the_hidden_tiles(
    client: Client, kozel: list[Puzzle]
) -> None:
    """The page after a wrong move, too."""
    row = kozel[1]
    wrong = moves_of(row)[1]
    pages = [page_without_tokens(client, row, move) for move in ("", wrong)]
    hidden = {tile_key(tile) for hand in puzzle_from_data(row.data).position.hands[SOLVER_SEAT + 1 :] for tile in hand}
    assert hidden
    assert not [tile for tile in hidden if any(f"h{tile}" in page for page in pages)]
    row.data = with_other_secrets(row.data)
    row.save()
    assert [page_without_tokens(client, row, move) for move in ("", wrong)] == pages


def page_without_tokens(client: Client, row: Puzzle, move: str) -> str:
    return CHANGING.sub("", client.get(url(row), {"move": move} if move else {}).text)


def with_other_secrets(data: dict[str, Any]) -> dict[str, Any]:
    """Return a puzzle with another solution and other hidden tiles that looks the same to its solver."""
    other = deepcopy(data)
    best, second, *rest = other["moves"]
    other["moves"] = [rest[-1], second, *rest[:-1], best]
    other |= {"margin": 77.7, "error": 5.5, "samples": 99}
    dealt = next(fields for kind, fields in other["events"] if kind == "round_dealt")
    played = {fields.get("tile") for _kind, fields in other["events"]}
    hidden = [*dealt["hands"][SOLVER_SEAT + 1 :], dealt["boneyard"]]
    (one, first), (another, second) = [
        (tiles, index) for tiles in hidden for index, tile in enumerate(tiles) if tile not in played
    ][:: len(played) // 2][:2]
    one[first], another[second] = another[second], one[first]
    return other


def test_a_link_to_a_numbered_puzzle_shows_its_position(client: Client, kozel: list[Puzzle]) -> None:
    row = kozel[1]
    page = client.get(url(row)).text
    assert '<meta property="og:title" content="Kozel, puzzle 2">' in page
    picture = re.search(r'<meta property="og:image" content="http://testserver(\S+)">', page)
    assert picture
    answer = client.get(picture[1])
    assert size_of(answer.content) == (1200, 630)
    assert answer["Cache-Control"] == "public, max-age=86400"
    assert client.get("/puzzles/kozel/999/card.png").status_code == 404


def test_migration_replaces_puzzles_that_nobody_has_attempted() -> None:
    shipped = [puzzle_to_data(puzzle) for puzzle in first_puzzles("kozel")]
    outdated, attempted = ({**shipped[0], "margin": 99.0}, {**shipped[0], "events": shipped[0]["events"][:1]})
    for number, data in enumerate(({}, outdated, attempted), 1):
        row = Puzzle.objects.create(variant="kozel", number=number, data=data)
        for day in range(2):
            row.days.create(variant="kozel", day=datetime(2026, 3, 2 * number + day, tzinfo=UTC).date())
        if number > 1:
            first_day = row.days.order_by("day")[0]
            daily.count_attempt(first_day, tables.person("Ann").pk, solved=True, now=NOON)
            daily.count_attempt(first_day, tables.person("Ben").pk, solved=False, now=NOON)
    import_module("games.migrations.0004_puzzles_to_the_end").replace_puzzles(apps, None)
    rows = Puzzle.objects.order_by("number")
    assert [row.number for row in rows] == list(range(2, 3 + len(shipped)))
    assert [row.data for row in rows] == [shipped[0], attempted, *shipped[1:]]
    assert [(row.tried, row.solved_first) for row in rows][:3] == [(2, 1), (2, 1), (0, 0)]
    assert PuzzleDay.objects.count() == 4
    assert PuzzleAttempt.objects.count() == 4


@pytest.mark.parametrize("path", ["kozel/0/", "kozel/4/", f"kozel/{10**30}/", "chess/1/", "chess/another/"])
def test_unknown_puzzles_are_not_found(client: Client, kozel: list[Puzzle], path: str) -> None:
    assert client.get(f"/puzzles/{path}").status_code == 404


def test_a_game_without_puzzles_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "first_puzzles", lambda _variant: [])
    page = client.get("/puzzles/kozel/").text
    assert "There are no puzzles of this game yet." in page
    assert "More puzzles" not in page
    assert client.get("/puzzles/kozel/another/").status_code == 404


def test_nonsense_after_is_ignored(client: Client, kozel: list[Puzzle]) -> None:
    for after in ("x", "-1", "٣", "9" * 50, "9" * 5000, ""):
        assert client.get("/puzzles/kozel/another/", {"after": after}).status_code == 302
