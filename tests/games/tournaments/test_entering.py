"""Entering a tournament: the conditions, the consent of the host, and partners."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import User
from games.enums import TournamentFormat
from games.errors import REFUSAL_TEXTS, Refused
from games.models import Entry, RatingChange, Tournament
from games.moderation import tournament_acts
from games.tournaments import announcing, entering, selectors
from games.tournaments.announcing import Announcement
from games.tournaments.conditions import Conditions
from tests.games import tables
from tests.games.tables import person
from tests.games.tournaments.site import MINUTE, START, announced, begin_round, entrants, running_matches

BEFORE = START - MINUTE
PARTNERS = {"variant": "all_fives", "seats": 4, "options": {"partners": "yes", "length": "quick"}}


def enter(tournament: Tournament, user: User, address: str = "") -> Entry:
    return entering.enter(tournament=tournament, user=user, now=BEFORE, address=address)


def refusal(tournament: Tournament, user: User) -> str:
    with pytest.raises(Refused) as refused:
        enter(tournament, user)
    return refused.value.code


def rate(user: User, *mus: float, sigma: float = 3.0) -> None:
    """Give a person rated matches, a day before each other; the last is a day ago."""
    for days, mu in enumerate(reversed(mus), 1):
        match = tables.open_table([user, person()])
        RatingChange.objects.create(
            match=match,
            user=user,
            variant="kozel",
            at=BEFORE - timedelta(days=days),
            seat=0,
            side=0,
            place=1,
            mu_before=mu,
            sigma_before=sigma,
            mu=mu,
            sigma=sigma,
        )


def test_a_person_enters_once_and_may_come_again() -> None:
    tournament, ann = announced(), person("Ann")
    entry = enter(tournament, ann)
    assert (entry.status, entry.key, entry.party) == ("entered", "1", "1")
    assert refusal(tournament, ann) == "already_entered"
    entering.withdraw(tournament=tournament, user=ann, now=BEFORE)
    assert Tournament.objects.get(pk=tournament.pk).parties == 0
    assert enter(tournament, ann).pk == entry.pk
    with pytest.raises(Refused, match="not_entered"):
        entering.withdraw(tournament=tournament, user=person("Ben"), now=BEFORE)


def test_names_that_look_alike_do_not_meet() -> None:
    tournament = announced()
    enter(tournament, person("Anna"))
    assert refusal(tournament, person("Аnna", is_guest=True)) == "entry_name"


def test_nobody_enters_twice_while_a_tournament_runs() -> None:
    tournament = announced()
    people = entrants(tournament, "Anna", "Bela", "Cyril", "Dora", "Emil")
    begin_round(START, people)
    entering.withdraw(tournament=tournament, user=people[4], now=START)
    with pytest.raises(Refused, match="already_entered"):
        entering.enter(tournament=tournament, user=people[4], now=START)


@pytest.mark.parametrize(
    ("mus", "lowest", "highest", "code"),
    [
        ((25.0,), 1400, 1600, ""),  # 1500
        ((25.0, 22.0), 1450, None, ""),  # 1500 in this week counts, not 1356
        ((28.0, 22.0), None, 1600, "entry_rating"),  # nobody loses their way into an easy one
        ((22.0,), 1450, None, "entry_rating"),
    ],
)
def test_the_highest_rating_of_a_week_decides(
    mus: tuple[float, ...], lowest: int | None, highest: int | None, code: str
) -> None:
    tournament = announced(conditions=Conditions(min_rating=lowest, max_rating=highest))
    ann = person("Ann")
    rate(ann, *mus)
    assert (refusal(tournament, ann) if code else enter(tournament, ann).status) == (code or "entered")


def test_conditions_want_accounts_settled_ratings_and_matches() -> None:
    new, guest = person("Ann"), person("Gail", is_guest=True)
    assert refusal(announced(conditions=Conditions(accounts=True)), guest) == "needs_account"
    assert refusal(announced(conditions=Conditions(min_rating=1)), new) == "entry_rating"
    rate(new, 25.0, sigma=7.0)
    assert refusal(announced(conditions=Conditions(min_rating=1)), new) == "entry_rating"
    assert refusal(announced(conditions=Conditions(min_matches=2)), new) == "entry_matches"
    assert enter(announced(conditions=Conditions(min_matches=1)), new).status == "entered"


def test_a_host_approves_refuses_and_removes() -> None:
    host, ann, ben = person("Host"), person("Ann"), person("Ben")
    tournament = announcing.announce_as_host(
        host=host,
        now=BEFORE,
        announcement=Announcement("swiss", "kozel", 2, START + 10 * MINUTE, name="Cup", asks=True, visibility="link"),
    )
    first, second = enter(tournament, ann), enter(tournament, ben)
    assert [entry.user for entry in selectors.pending_entries(tournament)] == [ann, ben]
    with pytest.raises(Refused, match="tournament_host"):
        entering.approve(tournament=tournament, by=ann, entry_id=first.pk, now=BEFORE)
    entering.approve(tournament=tournament, by=host, entry_id=first.pk, now=BEFORE)
    entering.remove_entry(tournament=tournament, by=host, entry_id=second.pk, now=BEFORE)
    assert Tournament.objects.get(pk=tournament.pk).parties == 1
    assert refusal(tournament, ben) == "entry_refused"
    entering.remove_entry(tournament=tournament, by=host, entry_id=first.pk, now=BEFORE)
    assert Tournament.objects.get(pk=tournament.pk).parties == 0
    assert selectors.load_lists(BEFORE).upcoming == ()


def test_partners_choose_each_other_and_sit_opposite() -> None:
    tournament = announced(**PARTNERS)
    people = [person(name) for name in ("Anna", "Bela", "Cyril", "Dora", "Emil", "Fanni", "Gusti", "Hana")]
    entries = [enter(tournament, user) for user in people]
    assert {entry.status for entry in entries} == {"seeking"}
    for one, other in zip(entries[::2], entries[1::2], strict=True):
        for own, partner in ((one, other), (other, one)):
            entering.ask_partner(tournament=tournament, user=own.user, entry_id=partner.pk, now=BEFORE)
    assert Tournament.objects.get(pk=tournament.pk).parties == 4
    begin_round(START, people)
    for match in running_matches():
        names = [seat.name for seat in match.seats.order_by("index")]
        assert {names[0], names[2]} in ({"Anna", "Bela"}, {"Cyril", "Dora"}, {"Emil", "Fanni"}, {"Gusti", "Hana"})


def test_nobody_enters_once_all_places_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(announcing.MAX_PARTIES, TournamentFormat.SWISS, 4)
    host = person("Host")
    tournament = announcing.announce_as_host(
        host=host,
        now=BEFORE,
        announcement=Announcement("swiss", "kozel", 2, START + 10 * MINUTE, name="Cup", asks=True),
    )
    entries = [enter(tournament, person(name)) for name in ("Anna", "Bela", "Cyril", "Dora", "Emil")]
    for entry in entries[:4]:
        entering.approve(tournament=tournament, by=host, entry_id=entry.pk, now=BEFORE)
    with pytest.raises(Refused, match="tournament_full"):
        entering.approve(tournament=tournament, by=host, entry_id=entries[4].pk, now=BEFORE)
    assert refusal(tournament, person("Fanni")) == "tournament_full"
    assert "tournament_full" in REFUSAL_TEXTS


def test_partners_with_long_numbers_fit_into_their_columns() -> None:
    tournament = announced(**PARTNERS)
    ann, ben = person("Ann"), person("Ben")
    entries = [enter(tournament, ann), enter(tournament, ben)]
    for number, entry in zip((99_999_998, 99_999_999), entries, strict=True):
        Entry.objects.filter(pk=entry.pk).update(key=str(number), party=str(number))
    for user, other in ((ann, entries[1]), (ben, entries[0])):
        own = entering.ask_partner(tournament=tournament, user=user, entry_id=other.pk, now=BEFORE)
    assert own.party == "99999998+99999999"
    own.clean_fields(exclude=["partner", "rank", "waits_since"])  # raises for a text that PostgreSQL would refuse


def test_a_partner_who_stays_seeks_another() -> None:
    tournament = announced(**PARTNERS)
    ann, ben = person("Ann"), person("Ben")
    own, partner = enter(tournament, ann), enter(tournament, ben)
    entering.ask_partner(tournament=tournament, user=ann, entry_id=partner.pk, now=BEFORE)
    entering.ask_partner(tournament=tournament, user=ben, entry_id=own.pk, now=BEFORE)
    entering.withdraw(tournament=tournament, user=ann, now=BEFORE)
    assert [entry.user for entry in selectors.partner_seekers(tournament)] == [ben]
    assert tournament.entries.get(user=ben).party == tournament.entries.get(user=ben).key


def test_people_announce_two_tournaments_and_cancel_their_own() -> None:
    host = person("Host")
    cup = Announcement("arena", "kozel", 4, START, {"length": "quick"}, minutes=60, name="Cup")
    first = announcing.announce_as_host(host=host, announcement=cup, now=START - 10 * MINUTE)
    announcing.announce_as_host(host=host, announcement=cup, now=START - 10 * MINUTE)
    for user, code in ((host, "too_many_tournaments"), (person("Gail", is_guest=True), "needs_account")):
        with pytest.raises(Refused, match=code):
            announcing.announce_as_host(host=user, announcement=cup, now=START - 10 * MINUTE)
    with pytest.raises(Refused, match="tournament_host"):
        announcing.cancel(tournament=first, by=person("Ann"), now=BEFORE)
    announcing.cancel(tournament=first, by=host, now=BEFORE)
    assert refusal(first, person("Ann")) == "tournament_over"


@pytest.mark.parametrize(
    "terms",
    [
        {"format": "duplicate"},
        {"format": "duplicate", "rounds": 5},
        {"format": "duplicate", "rounds": 4, "minutes": 30},
        {"variant": "chess"},
        {"format": "arena", "minutes": 45},
        {"minutes": 30},
        {"rounds": 10},
        {"clock": "1-day"},
        {"name": "x" * 41},
        {"seats": 9},
    ],
)
def test_impossible_tournaments_are_refused(terms: dict[str, object]) -> None:
    with pytest.raises(Refused, match="bad_request"):
        announced(**terms)


def test_rated_tournaments_keep_a_mark_of_the_address_until_they_are_over() -> None:
    tournament = announced(rated=True, options={})
    people = [person(name) for name in ("Anna", "Bela", "Cyril", "Dora")]
    for user in people:
        enter(tournament, user, address="192.0.2.7")
    begin_round(START, people)
    marks = {mark for match in running_matches() for mark in match.seats.values_list("address", flat=True)}
    assert len(marks) == 1
    assert "" not in marks
    tournament_acts.cancel_tournament(
        moderator=person("Mo", is_staff=True, is_superuser=True), tournament=tournament, reason="A test.", now=START
    )
    assert set(tournament.entries.values_list("address", flat=True)) == {""}
