"""Bots play by the API: casual tables by invitation, and tables of bots, by the same services as the site."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from accounts import bots
from accounts.models import ApiToken, Sanction, User
from accounts.names.rules import clean_name
from accounts.sanctions import imposing
from accounts.services import delete_person
from accounts.tokens import issuing
from games.errors import Refused
from games.lobby import invitations, quick_play
from games.models import Invitation, Match
from games.services import seating
from tests.games.api.test_document import bearer
from tests.games.tables import first_legal_move, open_table, person, state_of

NEW_TABLE = {"variant": "kozel", "seats": 2, "clock": "none"}


@pytest.fixture
def owner() -> User:
    return person("Max", date_joined=timezone.now() - timedelta(days=8))


@pytest.fixture
def bot(owner: User) -> User:
    issuing.create_bot_with_token(owner=owner, name="Deep Goat")
    return owner.bots.get()


def headers_of(bot: User) -> dict[str, str]:
    return {"authorization": f"Bearer {issuing.renew_bot_token(bot=bot)}"}


def post(path: str, headers: dict[str, str], data: dict[str, Any] | None = None) -> Any:
    return Client().post(f"/api/{path}", data or {}, content_type="application/json", headers=headers)


def table_with_free_seat(host: User, **columns: Any) -> Match:
    match = open_table([host, person("Ben"), person("Cleo")], **columns)
    match.seats.filter(index=2).update(user=None, name="", colour="")
    return match


def test_name_of_a_bot_is_marked(owner: User, bot: User) -> None:
    assert (bot.name, bot.bot_owner, bot.has_usable_password()) == ("Deep Goat [bot]", owner, False)
    with pytest.raises(ValidationError):
        clean_name("Deep Goat [bot]")
    page = Client().get(f"/people/{bot.pk}/").content.decode()
    assert f'href="/people/{owner.pk}/"' in page


def test_shortened_name_of_a_bot_follows_the_rules_of_names(owner: User) -> None:
    with pytest.raises(ValidationError):
        bots.create_bot(owner=owner, name="!!!!!!!!!!!!!!!a")


def test_new_name_of_a_bot_from_a_moderator_is_marked(bot: User, moderator: User) -> None:
    imposing.impose(moderator=moderator, user=bot, kind=Sanction.Kind.RENAMING, reason="A rude name.")
    bot.refresh_from_db()
    assert bot.name.endswith(" [bot]")
    assert bot.name != "Deep Goat [bot]"


def test_accounts_of_a_week_have_up_to_three_bots(owner: User) -> None:
    for name in ("One", "Two", "Three"):
        issuing.create_bot_with_token(owner=owner, name=name)
    for refused in (owner, person("Newcomer")):
        with pytest.raises(ValidationError):
            issuing.create_bot_with_token(owner=refused, name="Four")


def test_two_bots_play_at_a_table_of_bots(owner: User, bot: User) -> None:
    other = bots.create_bot(owner=owner, name="Shallow Goat")
    first, second = headers_of(bot), headers_of(other)
    slug = post("bot/tables", first, NEW_TABLE).json()["slug"]
    listed = Client().get("/api/bot/tables", headers=second).json()["tables"]
    assert [table["slug"] for table in listed] == [slug]
    assert slug not in Client().get("/").content.decode(), "lists of people do not have it"
    assert post(f"match/{slug}/sit", second).json()["seat"] == 1
    match = Match.objects.get(slug=slug)
    assert (match.status, match.rated) == ("running", False)
    for _number in range(4):
        seat = state_of(match).round.to_move
        move = {"version": match.version, "move": first_legal_move(match)}
        answer = post(f"match/{slug}/move", (first, second)[seat], move)
        assert answer.status_code == 200, answer.content
        assert answer.json()["version"] > match.version
        match.refresh_from_db()


def test_host_fills_a_table_of_bots_with_a_level(owner: User, bot: User) -> None:
    other = bots.create_bot(owner=owner, name="Shallow Goat")
    headers = headers_of(bot)
    slug = post("bot/tables", headers, NEW_TABLE | {"seats": 4}).json()["slug"]
    post(f"match/{slug}/sit", (guest := headers_of(other)))
    assert post(f"match/{slug}/fill", guest).json()["error"] == "not_host"
    assert post(f"match/{slug}/fill", headers, {"level": "grandmaster"}).json()["error"] == "invalid"
    players = post(f"match/{slug}/fill", headers, {"level": "master"}).json()["players"]
    assert [player["level"] for player in players] == ["", "", "master", "master"]
    assert Match.objects.get(slug=slug).status == "running"


def test_many_tables_are_listed_with_as_many_queries_as_one(owner: User, bot: User) -> None:
    headers, counts = headers_of(bot), []
    for number in range(3):
        match = open_table([bot if number < 2 else owner, person(f"Player {number}")])
        if number == 2:
            Invitation.objects.create(match=match, invited=bot, inviter=owner)
        with CaptureQueriesContext(connection) as queries:
            data = Client().get("/api/bot/tables", headers=headers).json()
        counts.append(len(queries))
    listed = [*data["tables"], *data["invitations"]]
    assert len(listed) == 3
    for table in listed:
        assert table == Client().get(f"/api/match/{table['slug']}", headers=headers).json()
    # The first one also notes the use of the token, and the last has the seats of an invitation.
    assert counts[1] <= counts[0]
    assert counts[2] == counts[1] + 1


def test_refused_moves_have_a_code_and_the_rule(owner: User, bot: User) -> None:
    other = bots.create_bot(owner=owner, name="Shallow Goat")
    headers = [headers_of(bot), headers_of(other)]
    slug = post("bot/tables", headers[0], NEW_TABLE).json()["slug"]
    post(f"match/{slug}/sit", headers[1])
    match = Match.objects.get(slug=slug)
    seat = state_of(match).round.to_move
    for sender, version, move, status, code in (
        (seat, match.version - 1, "pass", 409, "stale"),
        (seat, match.version, "nonsense", 409, "bad_move"),
        (1 - seat, match.version, "pass", 409, "not_your_turn"),
    ):
        answer = post(f"match/{slug}/move", headers[sender], {"version": version, "move": move})
        assert (answer.status_code, answer.json()["error"]) == (status, code)
        assert answer.json()["text"]
    stranger = headers_of(bots.create_bot(owner=owner, name="Third Goat"))
    answer = post(f"match/{slug}/move", stranger, {"version": match.version, "move": "pass"})
    assert (answer.status_code, answer.json()["error"]) == (403, "not_seated")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"variant": "chess"}, "body: variant should be all_fives or gamezz or kozel or rytmino or triominoes"),
        ({"seats": 9}, "body: seats should be 2 or 3 or 4"),
        ({"clock": "blitz"}, "body: clock should be fast or normal or relaxed or 1-day or 2-days or 3-days or none"),
        ({"options": {"fish": "both"}}, "body: options.fish should be all or one"),
        ({"options": {"colour": "red"}}, "body: kozel has no option colour"),
        ({"options": {"length": "round"}}, "body: options.length should be full or quick"),
    ],
)
def test_faults_in_the_terms_of_a_table_are_named(bot: User, change: dict[str, Any], text: str) -> None:
    answer = post("bot/tables", headers_of(bot), NEW_TABLE | change)
    assert (answer.status_code, answer.json()["error"], answer.json()["text"]) == (422, "invalid", text)
    assert not Match.objects.exists()


def test_half_a_character_in_the_terms_of_a_table_is_refused(bot: User) -> None:
    answer = post("bot/tables", headers_of(bot), NEW_TABLE | {"options": {"\ud800": "x"}})
    assert (answer.status_code, answer.json()["text"]) == (400, "The body of this request is not JSON.")


def test_faults_in_other_bodies_are_named(bot: User) -> None:
    headers = headers_of(bot)
    slug = post("bot/tables", headers, NEW_TABLE).json()["slug"]
    for path, body, status, text in (
        ("sit", "", 422, "body: Field required"),
        ("sit", "seat 1", 400, "The body of this request is not JSON."),
        ("move", r'{"\ud800": 1}', 400, "The body of this request is not JSON."),
        ("move", '{"move": "6-4"}', 422, "body.version: Field required"),
        ("nonce", '{"commitment": "ab"}', 422, "body.commitment: String should match pattern '^([0-9a-f]{64})?$'"),
    ):
        answer = Client().post(f"/api/match/{slug}/{path}", body, content_type="application/json", headers=headers)
        assert (answer.status_code, answer.json()["text"]) == (status, text)


def test_bots_see_the_stage_of_the_start_and_all_commitments(owner: User, bot: User, settings: Settings) -> None:
    settings.NONCE_SECONDS = 5
    headers = headers_of(bot), headers_of(bots.create_bot(owner=owner, name="Shallow Goat"))
    texts = "one text", "another"
    commitments = [sha256(text.encode()).hexdigest() for text in texts]
    table = post("bot/tables", headers[0], NEW_TABLE).json()
    assert table["start"] is None
    path = f"match/{table['slug']}/nonce"
    assert post(path, headers[0], {"commitment": commitments[0]}).status_code == 204
    joined = post(f"match/{table['slug']}/sit", headers[1]).json()
    assert joined["start"] == {"stage": "commit", "nonce_commitments": [commitments[0], ""]}
    post(path, headers[1], {"commitment": commitments[1]})
    seen = Client().get(f"/api/match/{table['slug']}", headers=headers[0]).json()
    assert seen["start"] == {"stage": "reveal", "nonce_commitments": commitments}
    for sent, text in zip(headers, texts, strict=True):
        assert post(path, sent, {"nonce": text}).status_code == 204
    match = Match.objects.get(slug=table["slug"])
    assert match.status == "running"
    assert tuple(match.seats.order_by("index").values_list("nonce", flat=True)) == texts


def test_bot_sits_down_where_it_was_invited(owner: User, bot: User) -> None:
    match, headers = table_with_free_seat(owner), headers_of(bot)
    assert post(f"match/{match.slug}/sit", headers).json()["error"] == "bots_invited"
    invitations.invite(match=match, by=owner, person_id=bot.pk)
    listed = Client().get("/api/bot/tables", headers=headers).json()["invitations"]
    assert [table["slug"] for table in listed] == [match.slug]
    assert post(f"match/{match.slug}/sit", headers).json()["seat"] == 2


def test_bots_play_nothing_rated_and_no_quick_games(owner: User, bot: User) -> None:
    match, headers = table_with_free_seat(owner, rated=True), headers_of(bot)
    assert post(f"match/{match.slug}/sit", headers).json()["error"] == "bots_casual"
    with pytest.raises(Refused):
        seating.take_seat(seating.seats_of(match), bot, index=None)
    with pytest.raises(Refused):
        quick_play.join_quick_game(user=bot)


def test_people_cannot_play_by_the_api(owner: User) -> None:
    headers = bearer("read", "tournament:host", user=owner)
    assert post("bot/tables", headers, NEW_TABLE).json()["error"] == "missing_scope"


def test_tokens_of_bots_end_with_the_access_of_the_owner(owner: User, bot: User) -> None:
    headers = headers_of(bot)
    assert Client().get("/api/bot/tables", headers=headers).status_code == 200
    owner.set_password("another-password")
    owner.save()
    assert not ApiToken.objects.exists()
    headers = headers_of(bot)
    User.objects.filter(pk=owner.pk).update(is_closed=True)
    assert Client().get("/api/bot/tables", headers=headers).status_code == 401


def test_bots_of_a_suspended_owner_get_no_tokens_that_work(owner: User, bot: User, moderator: User) -> None:
    imposing.impose(moderator=moderator, user=owner, kind=Sanction.Kind.SUSPENSION, reason="Cheating.")
    headers = headers_of(bot)  # a suspended person can still open the page that makes it
    assert Client().get("/api/bot/tables", headers=headers).status_code == 401


def test_bots_are_deleted_with_their_owner(owner: User, bot: User) -> None:
    match = open_table([bot, person("Ben")])
    delete_person(user=owner)
    assert not User.objects.filter(pk=bot.pk).exists()
    assert match.seats.filter(user=bot.pk).count() == 0


def test_only_the_owner_gets_tokens_and_deletes(owner: User, bot: User) -> None:
    browser = Client()
    browser.force_login(person("Ben"))
    assert browser.post(f"/accounts/bots/{bot.pk}/delete/").status_code == 404
    browser.force_login(owner)
    browser.post(f"/accounts/bots/{bot.pk}/delete/")
    assert not User.objects.filter(pk=bot.pk).exists()
