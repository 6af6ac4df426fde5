"""Pages of tournaments for hosts, for blocked people, and before anybody has points."""

from __future__ import annotations

from django.test import Client
from django.utils import timezone

from accounts import blocks
from games.models import Tournament
from games.tournaments import entering
from tests.games.tables import person
from tests.games.tournaments.site import end_matches, run_clock, tables_of
from tests.games.tournaments.test_pages import MINUTE, browser, press, running, upcoming


def test_places_are_shown_once_somebody_has_points() -> None:
    tournament, people = running()
    address = f"/tournament/{tournament.slug}/"
    cell = '<td class="number">1</td>'
    assert cell not in Client().get(address).text
    end_matches()
    run_clock(timezone.now() + MINUTE, people)
    assert cell in Client().get(address).text
    assert "Your place: 1. Your points: 12." in browser(people[0]).get(address).text


def test_a_blocked_person_has_no_link_to_a_table_that_they_may_not_watch() -> None:
    tournament, people = running()
    blocked = person("Eve")
    blocks.block(blocker=people[0], blocked=blocked)
    page, address = browser(blocked).get(f"/tournament/{tournament.slug}/").text, "/match/{}/"
    client = browser(blocked)
    matches = [table.match for table in tables_of(tournament)]
    for match in matches:
        is_linked = f'href="{address.format(match.slug)}"' in page
        assert is_linked == (client.get(address.format(match.slug)).status_code == 200)
    assert sum(f'href="{address.format(match.slug)}"' in page for match in matches) == 1
    assert all(
        f'href="{address.format(match.slug)}"' in Client().get(f"/tournament/{tournament.slug}/").text
        for match in matches
    )


def test_a_person_who_blocks_others_reads_at_entry_that_they_may_meet() -> None:
    tournament, user = upcoming(), person("Anna")
    sentence, address = "You may meet people whom you have blocked.", f"/tournament/{tournament.slug}/"
    assert sentence not in browser(user).get(address).text
    blocks.block(blocker=user, blocked=person("Eve"))
    assert sentence in browser(user).get(address).text
    entering.enter(tournament=tournament, user=user, now=timezone.now())
    assert sentence not in browser(user).get(address).text


def test_a_host_neither_removes_themselves_nor_acts_after_the_start() -> None:
    tournament, people = running()
    Tournament.objects.update(host=people[0], stage="announced")
    own = tournament.entries.get(user=people[0])
    page = browser(people[0]).get(f"/tournament/{tournament.slug}/").text
    assert f'name="entry" value="{own.pk}"' not in page
    Tournament.objects.update(stage="running")
    moved_on = "The tournament has moved on."
    assert moved_on in press(browser(people[0]), tournament, "cancel")
    assert moved_on in press(browser(people[0]), tournament, "remove", entry=own.pk)
