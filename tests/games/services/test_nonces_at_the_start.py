"""The short time at the start in which the players' nonces are opened."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import User
from games.engine.deal import nonce_commitment
from games.fair_dealing import nonces
from games.lobby import tables
from games.match import selectors
from games.models import Seat
from games.presence import leases
from games.services import downtime, seating
from tests.games.fair_dealing.test_nonces import NOON, commit, duel, fire, give, open_all, stage, started
from tests.games.lobby.test_tables import refused, table

COMMIT_UNTIL, REVEAL_FOR = timedelta(seconds=3), timedelta(seconds=2)


@pytest.fixture(autouse=True)
def noon() -> Iterator[Any]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def five_seconds(settings: Any) -> None:
    settings.NONCE_SECONDS = 5


@pytest.mark.usefixtures("five_seconds")
class TestTheStart:
    @pytest.mark.stack
    def test_match_starts_with_the_last_opened_nonce(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        commit(match, ann, ben)
        tables.start_or_agree(match=match, by=ann)
        assert stage(match) == ("open", "reveal")
        open_all(match, ann)
        assert match.status == "open"
        open_all(match, ben)
        assert match.status == "running"
        assert started(match).nonces == ("Ann's", "Ben's")
        assert started(match).nonce_commitments == (nonce_commitment("Ann's"), nonce_commitment("Ben's"))

    def test_single_player_waits_for_nobody(self, ann: User) -> None:
        match = table(ann)
        commit(match, ann)
        tables.fill_with_bots(match=match, by=ann)
        open_all(match, ann)
        assert match.status == "running"
        assert (started(match).nonces, started(match).bots) == (("Ann's", "", "", ""), (1, 2, 3))

    def test_players_have_three_seconds_to_commit(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        commit(match, ann)
        tables.start_or_agree(match=match, by=ann)
        assert stage(match) == ("open", "commit")
        commit(match, ben)
        assert stage(match) == ("open", "reveal")

    def test_nothing_is_opened_before_everybody_has_committed(self, ann: User, ben: User) -> None:
        """Else the last one could choose, together with the site."""
        match = duel(ann, ben)
        commit(match, ann)
        tables.start_or_agree(match=match, by=ann)
        refused("starting", nonces.submit_nonce, match_id=match.pk, user_id=ann.pk, nonce="Ann's")
        assert not Seat.objects.exclude(nonce="").exists()

    @pytest.mark.parametrize("values", [{"nonce": "better"}, {"commitment": nonce_commitment("better")}])
    @pytest.mark.parametrize("partners", [[], ["ben"]])
    def test_commitment_cannot_be_changed_any_more(
        self, ann: User, ben: User, partners: list[str], values: dict[str, str]
    ) -> None:
        match = duel(ann, ben)
        commit(match, ann, *(ben for _ in partners))
        tables.start_or_agree(match=match, by=ann)
        refused("starting", nonces.submit_nonce, match_id=match.pk, user_id=ann.pk, **values)
        assert seating.seats_of(match)[0].nonce_commitment == nonce_commitment("Ann's")

    def test_start_does_not_wait_for_absent_players(self, ann: User, ben: User, noon: Any) -> None:
        match = duel(ann, ben)
        commit(match, ann)
        noon.shift(leases.SEAT_LEASE)
        leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=NOON + leases.SEAT_LEASE)
        tables.start_or_agree(match=match, by=ann)
        assert stage(match) == ("open", "reveal")

    def test_text_typed_without_scripts_does_not_delay_the_start(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        for user in (ann, ben):
            give(match, user, nonce=f"{user.name} typed")
        assert tables.start_or_agree(match=match, by=ann).status == "running"
        assert started(match).nonces == ("Ann typed", "Ben typed")

    def test_missing_nonce_delays_the_start_only_until_the_deadline(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        tables.start_or_agree(match=match, by=ann)
        assert fire(match, COMMIT_UNTIL - timedelta(milliseconds=1)) == ("open", "commit")
        assert fire(match, COMMIT_UNTIL)[0] == "running"
        assert started(match).nonces == started(match).nonce_commitments == ("", "")

    def test_unopened_nonce_is_left_out_and_its_commitment_stays(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        commit(match, ann, ben)
        tables.start_or_agree(match=match, by=ann)
        open_all(match, ben)
        assert fire(match, REVEAL_FOR - timedelta(milliseconds=1)) == ("open", "reveal")
        assert fire(match, REVEAL_FOR)[0] == "running"
        assert started(match).nonces == ("", "Ben's")
        assert started(match).nonce_commitments == (nonce_commitment("Ann's"), nonce_commitment("Ben's"))
        refused("not_open", nonces.submit_nonce, match_id=match.pk, user_id=ann.pk, nonce="Ann's")

    def test_whole_start_has_a_time_limit(self) -> None:
        assert timedelta(seconds=5) == COMMIT_UNTIL + REVEAL_FOR

    def test_nonces_can_be_opened_after_a_restart(self, ann: User, ben: User, noon: Any) -> None:
        match = duel(ann, ben)
        commit(match, ann, ben)
        tables.start_or_agree(match=match, by=ann)
        noon.shift(timedelta(minutes=1))
        downtime.write_heartbeat(("web", "clock"), now=NOON + timedelta(minutes=1))
        assert fire(match, timedelta(minutes=1)) == ("open", "reveal")
        open_all(match, ann, ben)
        assert match.status == "running"

    def test_zero_seconds_disable_the_wait(self, ann: User, ben: User, settings: Any) -> None:
        settings.NONCE_SECONDS = 0
        match = duel(ann, ben)
        commit(match, ann)
        give(match, ben, nonce="typed")
        assert tables.start_or_agree(match=match, by=ann).status == "running"
        assert started(match).nonces == ("", "typed")

    def test_nonces_are_secret_before_the_start(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        commit(match, ann, ben)
        tables.start_or_agree(match=match, by=ann)
        open_all(match, ann)
        assert [person.nonce for person in selectors.read_table(match.pk).people] == ["", ""]
        open_all(match, ben)
        assert [person.nonce for person in selectors.read_table(match.pk).people] == ["Ann's", "Ben's"]
