"""Requests that arrive just after their account was deleted are refused without a server error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts import services
from accounts.middleware import PersonMiddleware
from accounts.models import Block, Sanction, User
from accounts.sanctions import imposing
from games.chat import posting
from games.errors import Refused
from games.lobby import quick_play, tables
from games.models import Match, Message
from games.services import play, rematch
from games.terms.terms import Terms
from tests.games.tables import browser_of, open_table, person, running_table


@pytest.fixture
def gone() -> User:
    """Return somebody whose row is gone, as a request that began before still has it."""
    user = person("Gone")
    services.delete_person(user=User.objects.get(pk=user.pk))
    return user


@pytest.mark.stack
@pytest.mark.parametrize(
    "ask",
    [
        lambda user, match: tables.open_table(host=user, terms=Terms("kozel", 2)),
        lambda user, match: quick_play.join_quick_game(user=user),
        lambda user, match: tables.sit(match=match, user=user),
        lambda user, match: tables.start_or_agree(match=match, by=user),
        lambda user, match: rematch.agree_to_rematch(match=match, by=user),
        lambda user, match: posting.post_message(match=match, user=user, text="Hello"),
        lambda user, match: play.mark_ready(match_id=match.pk, user_id=user.pk),
        lambda user, match: play.leave_match(match_id=match.pk, user_id=user.pk),
    ],
)
@pytest.mark.parametrize("table", [open_table, running_table])
def test_services_refuse_deleted_people(
    gone: User, ask: Callable[[User, Match], object], table: Callable[..., Match]
) -> None:
    match = table([person("Ann")], bots=1)
    with pytest.raises(Refused):
        ask(gone, match)
    assert not Message.objects.exists()
    assert not match.seats.filter(name="Gone").exists()


@pytest.mark.stack
def test_repeated_deletion_has_no_effect(gone: User) -> None:
    services.delete_person(user=gone)


def test_a_moderator_is_told_that_the_person_is_gone(gone: User) -> None:
    root = person("Root", is_staff=True, is_superuser=True)
    with pytest.raises(Exception, match="no longer exists"):
        imposing.impose(moderator=root, user=gone, kind=Sanction.Kind.MUTE, reason="rude", until=None)


FORMS = {
    "/accounts/settings/": {
        "name": "Mary",
        "colour": "red",
        "theme": "dark",
        "felt": "green",
        "tiles": "bone",
        "may_invite": "all",
    },
    "/accounts/theme/": {"theme": "dark"},
    "/i18n/setlang/": {"language": "hu"},
    "/accounts/data/": {"name": "Gone"},
    "/accounts/guest/upgrade/": {"username": "petya", "email": "p@example.org", "password1": "seven-spotted-goats"},
    "/tables/new/": {"variant": "kozel", "preset": "usual"},
    "/play/": {"variant": "kozel"},
    "/match/{slug}/sit/": {},
    "/match/{slug}/chat/": {"text": "Hello"},
    "/match/{slug}/leave/": {},
    "/people/{other}/block/": {},
    "/people/{other}/follow/": {},
    "/accounts/logout/": {"sure": "yes"},
}


@pytest.mark.parametrize("address", FORMS)
def test_forms_of_deleted_people_cause_no_server_error(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row goes between the look at the session and the view."""
    user, other = person("Gone", is_guest=True), person("Ann")
    match = open_table([other], bots=1)
    browser = browser_of(user)
    process_view = PersonMiddleware.process_view

    def deleted_first(self: Any, request: Any, *view: object) -> object:
        request.user.is_guest  # noqa: B018 (the row was read)
        User.objects.filter(pk=user.pk).delete()
        return process_view(self, request, *view)

    monkeypatch.setattr(PersonMiddleware, "process_view", deleted_first)
    fields = FORMS[address] | ({"password2": "seven-spotted-goats"} if "upgrade" in address else {})
    answer = browser.post(address.format(slug=match.slug, other=other.pk), fields)
    assert answer.status_code < 500
    assert not Block.objects.exists()
    assert not User.objects.exclude(pk=other.pk).exists()
