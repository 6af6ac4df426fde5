"""The admin of matches: finds, shows and acts, and knows nothing of a running deal."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from itertools import permutations
from urllib.parse import urljoin

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.admin import open_case_url
from accounts.sanctions import moderation_log
from games.conduct import ledger
from games.engine.deal import round_key
from games.engine.tiles import Tile
from games.models import Match, Message, RatingPoints
from games.services import play
from tests.accounts.test_admin import staff
from tests.games import tables
from tests.moderating import decide_case, open_and_decide_case

MODELS = ("match", "seat", "matchevent", "message", "conductmark")
HREF = re.compile(r'href="([^"#]+)')
ICON = re.compile(r"<svg.*?</svg>", re.DOTALL)


def listing(model: str) -> str:
    return reverse(f"admin:games_{model}_changelist")


@pytest.fixture
def running() -> Match:
    """Return a rated match with some moves made, a chat, a bot and a conduct mark in it."""
    match = tables.running_table([tables.person("Ann"), tables.person("Ben")], bots=1, rated=True)
    Message.objects.create(match=match, user=match.host, name="Ann", text="good luck")
    ledger.charge_points(match.host.pk, "late", timezone.now(), match_id=match.pk)
    for _ in range(5):
        tables.make_first_move(match)
    return match


def hidden_tiles(match: Match) -> list[Tile]:
    state = tables.state_of(match)
    return [tile for hand in (*state.hands, state.boneyard) for tile in hand]


def leaks(match: Match, page: str) -> list[str]:
    """Return what the text says of the match's hidden tiles, in any way of writing them, and of its secret."""
    halves = "|".join(
        f"{one}-{other}|{one},\\s*{other}" for tile in hidden_tiles(match) for one, other in permutations(tile)
    )
    secrets = f"{match.secret}|{round_key(match.secret, match.slug, match.round)}"
    return re.findall(rf"(?<![\d-])(?:{halves})(?![\d-])|{secrets}", page)


def crawl(client: Client, start: str = "/admin/games/") -> Iterator[tuple[str, str]]:
    """Follow the links to pages about matches and yield each; filtered and sorted lists lead no further.

    test_leaks_admin proves that no other page of the admin depends on a hidden tile.
    """
    seen, waiting = {start}, deque([start])
    while waiting:
        address = waiting.popleft()
        response = client.get(address)
        assert response.status_code == 200, address
        page = ICON.sub("", response.content.decode())
        yield address, page
        if "?" not in address:
            links = {urljoin(address, unescape(link)) for link in HREF.findall(page)} - seen
            admin_links = sorted(link for link in links if link.startswith(start))
            seen.update(admin_links)
            waiting.extend(admin_links)


def test_no_page_about_matches_shows_a_hidden_tile_or_the_secret_of_a_running_match(running: Match) -> None:
    pages = dict(crawl(staff("root")))
    for model in MODELS:
        row = {
            "match": running,
            "seat": running.seats.first(),
            "matchevent": running.events.last(),
            "message": running.messages.first(),
            "conductmark": running.conduct_marks.first(),
        }[model]
        for view in ("change", "history"):
            assert reverse(f"admin:games_{model}_{view}", args=[row.pk]) in pages
    for address, page in pages.items():
        assert leaks(running, page) == [], address


def test_the_same_search_finds_every_tile_once_the_match_is_over(running: Match) -> None:
    dealt = hidden_tiles(running)
    play.stop_match(match_id=running.pk)
    running.refresh_from_db()
    admin = staff("root")
    addresses = [reverse("admin:games_matchevent_change", args=[event.pk]) for event in running.events.all()]
    pages = "".join(admin.get(address).content.decode() for address in addresses)
    match_page = admin.get(reverse("admin:games_match_change", args=[running.pk])).content.decode()
    assert len(leaks(running, pages)) >= len(dealt)
    assert running.secret in match_page


def test_the_last_round_of_a_match_that_spectators_see_later_is_not_shown_before(running: Match) -> None:
    Match.objects.filter(pk=running.pk).update(delay=Match.Delay.LONG)
    play.stop_match(match_id=running.pk)
    running.refresh_from_db()
    admin = staff("root")
    addresses = [reverse("admin:games_matchevent_change", args=[event.pk]) for event in running.events.all()]
    addresses.append(reverse("admin:games_match_change", args=[running.pk]))
    for seconds, is_shown in ((119, False), (121, True)):
        with time_machine.travel(running.finished_at + timedelta(seconds=seconds), tick=False):
            pages = "".join(ICON.sub("", admin.get(address).content.decode()) for address in addresses)
        assert bool(leaks(running, pages)) == is_shown
        assert (running.secret in pages) == is_shown


def test_the_queries_of_the_lists_and_pages_leave_out_what_is_hidden(running: Match) -> None:
    admin = staff("root")
    deal = running.events.first()
    with CaptureQueriesContext(connection) as captured:
        admin.get(listing("matchevent"))
        admin.get(listing("match"))
        admin.get(reverse("admin:games_match_change", args=[running.pk]))
        admin.get(reverse("admin:games_matchevent_change", args=[deal.pk]))
    plain = [re.sub(r"CASE WHEN.*?END", "", query["sql"]) for query in captured]
    assert not [sql for sql in plain if '"secret"' in sql or ('"data"' in sql and "matchevent" in sql)]


def test_lists_cannot_be_filtered_by_hidden_data(running: Match) -> None:
    admin = staff("root")
    for model, question in (
        ("match", "secret__startswith=a"),
        ("match", "events__data__contains=6"),
        ("match", "due_kind=pass"),
        ("seat", "match__secret__startswith=a"),
        ("matchevent", "data__contains=6"),
        ("matchevent", "match__secret__gt=8"),
        ("message", "match__events__data__contains=6"),
        ("message", "match__secret__gt=8"),
    ):
        assert admin.get(f"{listing(model)}?{question}").status_code in (302, 400), (model, question)


def test_a_search_for_a_tile_or_the_secret_finds_nothing(running: Match) -> None:
    admin = staff("root")
    high, low = hidden_tiles(running)[0]
    for model in MODELS:
        for words in (running.secret, running.secret[:9], f"{high}-{low}", f"[{high},{low}]", f"{high},{low}"):
            assert "0 results" in admin.get(listing(model), {"q": words}).text, (model, words)


def test_matches_are_read_only(running: Match) -> None:
    admin = staff("root")
    for model in MODELS:
        key = apps.get_model("games", model).objects.first().pk
        assert admin.get(reverse(f"admin:games_{model}_add")).status_code == 403
        assert admin.post(reverse(f"admin:games_{model}_change", args=[key]), {"text": "x"}).status_code == 403
        assert admin.post(reverse(f"admin:games_{model}_delete", args=[key]), {"post": "yes"}).status_code == 403
        assert "delete_selected" not in admin.get(listing(model)).text


def test_matches_seats_and_messages_are_found_by_what_moderators_know(running: Match) -> None:
    moderator = staff("mo", "Match moderators")
    for model, words in (("match", "Ann"), ("match", "kozel"), ("seat", "Ben"), ("message", "good luck")):
        page = moderator.get(listing(model), {"q": words}).text
        assert "1 result" in page, (model, words)
        assert running.slug in page


def test_the_record_is_found_by_the_whole_address_of_its_match(running: Match) -> None:
    tables.running_table([tables.person(), tables.person()])
    page = staff("mo", "Match moderators").get(listing("matchevent"), {"q": running.slug}).content.decode()
    assert f"{running.events.count()} results" in page


def test_the_ledgers_of_conduct_are_read_by_moderators_and_not_by_helpers(running: Match) -> None:
    page = staff("mo", "Match moderators").get(listing("conductmark"), {"q": running.slug}).content.decode()
    assert "1 conduct mark" in page
    assert staff("hal", "Chat moderators").get(listing("conductmark")).status_code == 403


def test_a_moderator_stops_matches_from_the_list_with_one_reason(running: Match) -> None:
    other = tables.running_table([tables.person(), tables.person()])
    over = tables.running_table([tables.person(), tables.person()])
    play.stop_match(match_id=over.pk)
    moderator = staff("mo", "Match moderators")
    chosen = {"action": "open_case", "_selected_action": [running.pk, other.pk, over.pk]}
    form = moderator.post(listing("match"), chosen).headers["Location"]
    page = moderator.post(form, {"area": "conduct"}).headers["Location"]
    assert "Stops 2 running matches." in moderator.get(page).text
    decide_case(moderator, page, correction="stop", reason="closing time")
    assert set(Match.objects.values_list("status", flat=True)) == {"stopped"}
    assert moderation_log.logged_acts().filter(act="stop", reason="closing time").count() == 2
    assert not RatingPoints.objects.exists()


@pytest.mark.parametrize(
    ("model", "decision"),
    [
        ("match", {"correction": "stop"}),
        ("match", {"correction": "void"}),
        ("seat", {"correction": "remove"}),
        ("seat", {"correction": "settle"}),
        ("message", {"hide": "on"}),
        ("message", {"measure": "mute"}),
    ],
)
def test_every_act_is_two_links_away_from_the_page_of_its_row(
    running: Match, model: str, decision: dict[str, str]
) -> None:
    row = {"match": running, "seat": running.seats.first(), "message": running.messages.first()}[model]
    moderator = staff("mo", "Match moderators")
    page = moderator.get(reverse(f"admin:games_{model}_change", args=[row.pk])).content.decode()
    assert open_case_url(model, row.pk) in page
    open_and_decide_case(moderator, model, row.pk, **decision)
    (name,) = [value for value in decision.values() if value != "on"] or ["hide"]
    assert moderation_log.logged_acts().first().act == name


@pytest.mark.parametrize(("model", "correction"), [("match", "stop"), ("match", "void"), ("seat", "remove")])
def test_a_helper_only_proposes_the_acts_of_a_moderator(running: Match, model: str, correction: str) -> None:
    row = running if model == "match" else running.seats.first()
    helper = staff("helper", "Chat moderators")
    case = open_and_decide_case(helper, model, row.pk, correction=correction)
    running.refresh_from_db()
    assert (case.closed_at, running.status, running.seats.get(index=0).bot) == (None, Match.Status.RUNNING, "")


def test_a_helper_hides_a_message_and_mutes_its_writer(running: Match) -> None:
    message = running.messages.get()
    open_and_decide_case(
        staff("helper", "Chat moderators"), "message", message.pk, measure="mute", hide="on", reason="rude"
    )
    message.refresh_from_db()
    assert message.hidden
    assert message.user.sanctions.get().reason == "rude"


def test_a_helper_does_not_see_the_record(running: Match) -> None:
    assert staff("helper", "Chat moderators").get(listing("matchevent")).status_code == 403


def test_no_case_is_opened_about_an_unknown_row(running: Match) -> None:
    moderator, address = staff("mo", "Match moderators"), reverse("admin:games_case_open")
    assert moderator.get(address).status_code == 404
    assert moderator.get(open_case_url("match", 999_999)).status_code == 404
    assert moderator.get(open_case_url("explosion", running.pk)).status_code == 404
    assert moderator.get(f"{address}?match=' OR 1=1").status_code == 404


def test_lists_have_a_constant_number_of_queries(running: Match) -> None:
    admin = staff("root")
    few = {model: queries_of(admin, listing(model)) for model in MODELS}
    for number in range(20):
        match = tables.running_table([tables.person(f"P{number}"), tables.person()])
        Message.objects.create(match=match, user=match.host, name="P", text="hello")
        ledger.charge_points(match.host.pk, "late", timezone.now(), match_id=match.pk)
    assert match.slug in admin.get(listing("match")).text
    assert {model: queries_of(admin, listing(model)) for model in MODELS} == few
    assert max(few.values()) <= 7


def queries_of(client: Client, address: str) -> int:
    """Return the number of queries of a page that was opened before."""
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def test_lists_show_games_options_and_bots_in_words() -> None:
    match = tables.running_table([tables.person("Ann")], bots=1, variant="all_fives")
    root = staff("root")
    matches, seats = root.get(listing("match")).text, root.get(listing("seat")).text
    page = root.get(reverse("admin:games_match_change", args=[match.pk])).text
    assert ("All Fives" in matches, "all_fives" in matches) == (True, False)
    assert ("Tiles dealt: Nine, seven or five" in page, "{&quot;hands&quot;" in page) == (True, False)
    assert ("Steady" in seats, ">steady<" in seats) == (True, False)
