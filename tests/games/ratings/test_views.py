"""The leaderboards, and the ratings on a person's page."""

from __future__ import annotations

import re
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.match.snapshots import current_snapshot
from games.models import Match, RatingChange
from games.rendering.result import result_panel
from games.words.lookup import words_for
from tests.games.ratings.test_changes import finished
from tests.games.services.test_points import play_and_leave, rated
from tests.games.tables import open_table, person


def change(user: User, mu: float, *, sigma: float = 2.0, days: int = 0, match: Match | None = None) -> RatingChange:
    match = match or open_table([user, person(f"Opponent {User.objects.count()}")], variant="triominoes")
    at = timezone.now() - timedelta(days=days)
    row = RatingChange(match=match, user=user, variant="triominoes", at=at, seat=0, side=0, place=1, expected=1.5)
    row.mu_before, row.sigma_before, row.mu, row.sigma = 25, 8, mu, sigma
    row.save()
    return row


def leaderboard(client: Client, query: str = "") -> list[str]:
    leaders = client.get(f"/leaderboard/triominoes/{query}").context["leaders"]
    return [f"{user.name} {skill.rating}" for user, skill in leaders]


def test_leaders_are_those_with_the_highest_settled_ratings_of_the_game(client: Client) -> None:
    ann, ben, cleo = person("Ann"), person("Ben"), person("Cleo")
    change(ann, 26)
    change(ann, 27)
    change(ben, 30, days=8)
    change(cleo, 40, sigma=5.6)
    # 1500 + 48 for each point above 25
    assert leaderboard(client) == ["Ben 1740", "Ann 1596"]
    assert leaderboard(client, "?time=week") == ["Ann 1596"]
    assert client.get("/leaderboard/kozel/").context["leaders"] == []
    assert client.get("/leaderboard/chess/").status_code == 404


def test_undisclosed_rating_changes_are_on_no_page(client: Client) -> None:
    ann = person("Ann")
    change(ann, 26)
    hidden = open_table([ann, person("Ben")], variant="triominoes")
    change(ann, 40, match=hidden)
    Match.objects.filter(pk=hidden.pk).update(public_at=timezone.now() + timedelta(minutes=2))
    change(ann, 41)
    assert leaderboard(client) == ["Ann 1548"]
    Match.objects.filter(pk=hidden.pk).update(public_at=timezone.now())
    assert leaderboard(client) == ["Ann 2268"]


def test_a_person_s_page_draws_each_rating_and_lists_its_changes(client: Client) -> None:
    people = [person("Ann"), person("Ben")]
    for _ in range(2):
        finished(people, (1, 2), timezone.now())
    client.force_login(people[0])
    page = client.get(f"/people/{people[0].pk}/")
    (rating,) = page.context["ratings"]
    assert [change["row"].place for change in rating["changes"]] == [1, 1]
    assert rating["rating"] > 1500
    assert rating["provisional"]
    assert f'aria-label="Triominoes: rating {rating["rating"]}; over the last 2 matches between 1500 and ' in page.text
    assert f"The last 2 matches: between 1500 and {rating['rating']}" in page.text


def test_result_shows_the_viewers_rating_change() -> None:
    people = [person("Ann"), person("Ben")]
    match = play_and_leave(rated(people, variant="all_fives", absence="forfeit"))
    snapshot, words = current_snapshot(match.pk), words_for("all_fives", "en")
    row = RatingChange.objects.get(match=match, user=people[1])
    # Two newcomers expect 1.5 each; the winner gains 48 for each point of mu.
    gained = round(48 * (row.mu - 25))
    message = re.sub(r"<.*?>", "", result_panel(snapshot.table, snapshot.view(1), 1, words))
    assert f"Rating {1500 + gained}? (provisional) (+{gained}): 1 of 2, expected 1.5" in message
    assert "own-rating" not in result_panel(snapshot.table, snapshot.view(None), None, words)
