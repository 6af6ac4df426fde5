"""Tournaments of bots: only bots enter them, by the API, and their tables are in no list of people."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.errors import Refused
from games.models import Entry, Match, Seat, Tournament
from games.tournaments import entering, waiting
from games.tournaments.conditions import Conditions
from tests.games.api.test_document import bearer
from tests.games.tables import person
from tests.games.tournaments.site import SECOND, START, announced, arena, begin_round, duplicate, run_clock
from tests.games.tournaments.test_pages import FORM, browser, upcoming

BOTS = Conditions(bots=True)


def bot(name: str, owner: User | None = None) -> User:
    return person(f"{name} [bot]", bot_owner=owner or person(f"Owner of {name}"))


def post(path: str, user: User) -> Any:
    headers = bearer("read", "bot:play", user=user)
    return Client().post(f"/api/tournament/{path}", {}, content_type="application/json", headers=headers)


def test_bots_enter_tournaments_of_bots_and_people_the_others() -> None:
    of_bots, of_people = upcoming(conditions=BOTS), upcoming()
    player, goat = person("Ann"), bot("Goat")
    answer = post(f"{of_bots.slug}/enter", goat)
    assert (answer.status_code, answer.json()["own"]["status"]) == (200, "entered")
    assert answer.json()["bots_only"]
    assert post(f"{of_people.slug}/enter", goat).json()["error"] == "bots_apart"
    with pytest.raises(Refused, match="bots_only"):
        entering.enter(tournament=of_bots, user=player, now=timezone.now())
    assert "for bots of players" in (page := browser(player).get(f"/tournament/{of_bots.slug}/").text)
    assert f"/tournament/{of_bots.slug}/enter/" not in page
    assert post(f"{of_bots.slug}/withdraw", goat).status_code == 204
    assert Entry.objects.get(user=goat).status == Entry.Status.GONE


def test_host_marks_a_tournament_in_the_form() -> None:
    host = browser(person("Max"))
    assert host.post("/tournaments/new/?game=kozel", FORM | {"people": "bots"}).status_code == 303
    assert Tournament.objects.get().conditions == {"bots": True}
    refused = host.post("/tournaments/new/?game=kozel", FORM | {"people": "bots", "stakes": "rated"})
    assert refused.status_code == 422
    assert "Tournaments of bots are casual" in refused.text


@pytest.mark.parametrize("conditions", [Conditions(bots=True, min_rating=1500), Conditions(bots=True, min_matches=5)])
def test_bots_have_no_ratings_to_limit(conditions: Conditions) -> None:
    with pytest.raises(Refused, match="bots_terms"):
        announced(conditions=conditions)


def test_boards_are_not_for_bots() -> None:
    with pytest.raises(Refused, match="bots_terms"):
        duplicate(conditions=BOTS)


def test_bots_whose_programs_run_are_seated_at_unlisted_tables() -> None:
    tournament, players = announced(conditions=BOTS), [bot(name) for name in "ABCDE"]
    for player in players:
        entering.enter(tournament=tournament, user=player, now=START - 60 * SECOND)
    for player in players[:4]:
        entering.note_program_seen(user_id=player.pk, now=START)
    entering.note_program_gone(user_id=players[4].pk, seen_at=START)
    begin_round(START, [])
    matches = Match.objects.all()
    assert [(match.status, match.visibility, match.host) for match in matches] == [("running", "link", None)] * 2
    assert set(Seat.objects.values_list("user", flat=True)) == {player.pk for player in players[:4]}


def test_bots_of_one_owner_are_kept_apart() -> None:
    owner, tournament = person("Max"), arena(conditions=BOTS)
    players = [bot("One", owner), bot("Two", owner), bot("Three"), bot("Four")]
    for player in players:
        entering.enter(tournament=tournament, user=player, now=START - 60 * SECOND)
    assert waiting.pairs_apart(tournament, ["1", "2", "3", "4"]) == (("1", "2"),)
    run_clock(START, players, passes=3)
    sharing = [{*match.seats.values_list("user__bot_owner", flat=True)} for match in Match.objects.all()]
    assert [len(owners) for owners in sharing] == [2, 2]
