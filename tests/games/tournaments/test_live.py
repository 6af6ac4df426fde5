"""Pages of people go to the tables that the clock lays for them, and the lobby does not list these tables."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.broadcast import announcements
from games.lobby import open_tables
from games.models import Match
from games.services import play
from tests.games import tables
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread
from tests.games.tournaments.site import START, announced, begin_round, entrants, running_matches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


@pytest.mark.stack
async def test_pages_in_the_lobby_and_at_ended_matches_follow_to_the_table() -> None:
    tournament = await in_thread(announced)()
    people = await in_thread(entrants)(tournament, "Anna", "Bela", "Cyril", "Dora")
    over = await in_thread(tables.running_table)([people[1], people[2]])
    await in_thread(play.stop_match)(match_id=over.pk)
    at_play = await in_thread(tables.running_table)([people[3], await in_thread(tables.person)("Emil")])
    lobby = Browser("/ws/lobby/", user=people[0])
    await lobby.connect()
    await lobby.next_frame()
    browsers = [lobby, await connect_and_read_frame(over, people[1]), await connect_and_read_frame(at_play, people[3])]
    await in_thread(begin_round)(START, people)
    frames = []
    for browser in browsers:
        while "next-table" not in (frame := await browser.next_frame()):
            pass
        frames.append(frame)
    for frame, person in zip(frames[:2], people[:2], strict=True):
        assert "data-follow=" in frame
        assert f"/match/{await in_thread(current_slug)(person.pk)}/" in frame
    assert "data-follow=" not in frames[2], "a person who plays is not torn away"
    assert f"/match/{await in_thread(current_slug)(people[3].pk)}/" in frames[2]


def current_slug(user_id: int) -> str:
    """Return the name of the person's newest table."""
    return running_matches_of(user_id)[-1]


def running_matches_of(user_id: int) -> list[str]:
    return [match.slug for match in running_matches() if match.seats.filter(user=user_id).exists()]


async def test_the_page_of_the_table_itself_gets_no_link(people: list[User], match: Match) -> None:
    browser = await connect_and_read_frame(match, people[0])
    await in_thread(announcements.lead_to_table)([people[0].pk], match.slug)
    assert await browser.receive_nothing(0.3)


def test_the_lobby_does_not_list_the_tables_of_tournaments() -> None:
    tournament = announced()
    people = entrants(tournament, "Anna", "Bela", "Cyril", "Dora")
    begin_round(START, people)
    other = tables.running_table([tables.person("Emil"), tables.person("Fanni")])
    assert [table.slug for table in open_tables.load_lists().running] == [other.slug]
    assert len(open_tables.load_own_tables(people[0].pk)) == 1
