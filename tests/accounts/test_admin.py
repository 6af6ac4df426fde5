from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.admin import open_case_url
from accounts.models import Block, ModerationAct, Sanction, User
from accounts.selectors import active_sanction
from games.models import RatingPoints, SiteSwitches
from tests.games.tables import browser_of
from tests.moderating import decide_case, open_case

USERS = reverse("admin:accounts_user_changelist")


@pytest.fixture
def alice() -> User:
    return User.objects.create(username="alice", name="Alice", email="alice@example.org", password="pbkdf2_secret")


def staff(name: str, group: str = "") -> Client:
    user = User.objects.create(username=name, name=name, is_staff=True, is_superuser=not group)
    if group:
        user.groups.add(Group.objects.get(name=group))
    return browser_of(user)


def test_admin_uses_the_log_in_of_the_site(client: Client) -> None:
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith(reverse("account_login") + "?next=")


def test_people_without_a_role_get_403(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get("/admin/", follow=True).status_code == 403
    assert client.get(USERS, follow=True).status_code == 403


def test_cases_about_several_people_are_decided_one_after_the_other(alice: User) -> None:
    bob = User.objects.create(username="bob", name="Bob")
    moderator = staff("mo", "Match moderators")
    chosen = {"action": "open_case", "_selected_action": [alice.pk, bob.pk]}
    form = moderator.post(USERS, chosen).headers["Location"]
    page = moderator.post(form, {"area": "conduct"}).headers["Location"]
    for _ in range(2):
        answer = moderator.post(page, {"measure": "suspend", "length": "month", "reason": "a ring"})
        page = answer.headers["Location"]
    assert page == reverse("admin:games_case_changelist")
    assert set(Sanction.objects.values_list("user", "kind")) == {(alice.pk, "suspend"), (bob.pk, "suspend")}


def test_sanction_until_a_date_needs_the_date(alice: User) -> None:
    moderator = staff("mo", "Match moderators")
    page = open_case(moderator, "user", alice.pk)
    assert "Enter a time." in decide_case(moderator, page, "mute", length="until", until="").content.decode()
    decide_case(moderator, page, "mute", length="until", until="2999-01-02T03:04")
    assert Sanction.objects.get().until.isoformat() == "2999-01-02T03:04:00+00:00"


def test_sanction_can_be_lifted_on_its_page(alice: User) -> None:
    sanction = Sanction.objects.create(user=alice, kind="mute", reason="spam")
    moderator = staff("mo", "Match moderators")
    page = reverse("admin:accounts_sanction_change", args=[sanction.pk])
    assert "This field is required." in moderator.post(page, {"choice": "lift", "reason": " "}).text
    moderator.post(page, {"choice": "lift", "reason": "appealed"})
    assert active_sanction(user_id=alice.pk, kind="mute") is None


@pytest.mark.parametrize("model", ["games_ratingpoints", "accounts_sanction", "accounts_moderationact"])
def test_not_even_superusers_can_change_history(alice: User, model: str) -> None:
    row = {
        "games_ratingpoints": lambda: RatingPoints.objects.create(user=alice, variant="kozel", points=3),
        "accounts_sanction": lambda: Sanction.objects.create(user=alice, kind="mute", reason="spam"),
        "accounts_moderationact": lambda: ModerationAct.objects.create(
            user=alice, act="mute", target="user:1", reason="x"
        ),
    }[model]()
    admin = staff("root")
    assert admin.get(reverse(f"admin:{model}_add")).status_code == 403
    assert admin.post(reverse(f"admin:{model}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    address = reverse(f"admin:{model}_change", args=[row.pk])
    assert admin.post(address, {"reason": "changed"}).status_code == 403
    assert admin.get(address).status_code == 200
    row.refresh_from_db()
    assert getattr(row, "reason", "spam") in {"spam", "x"}


def test_moderators_cannot_see_or_search_addresses_and_passwords(alice: User) -> None:
    moderator = staff("mo", "Match moderators")
    pages = [
        moderator.get(reverse("admin:accounts_user_change", args=[alice.pk])),
        moderator.get(USERS),
        moderator.get(USERS + "?q=alice"),
    ]
    for page in pages:
        assert page.status_code == 200
        assert b"alice@example.org" not in page.content
        assert b"pbkdf2_secret" not in page.content
    assert b"alice" not in moderator.get(USERS + "?q=example.org").content


def test_lists_refuse_other_lookups(alice: User) -> None:
    moderator = staff("mo", "Match moderators")
    for question in ("password__startswith=p", "email__startswith=a", "sanctions__reason=a"):
        assert moderator.get(f"{USERS}?{question}").status_code in (302, 400), question


def test_only_superusers_can_grant_rights(alice: User) -> None:
    address = reverse("admin:accounts_user_change", args=[alice.pk])
    assert staff("mo", "Match moderators").post(address, {"is_superuser": "on"}).status_code == 403
    page = staff("root").get(address).content.decode()
    assert "alice@example.org" in page
    assert 'name="is_superuser"' in page
    assert "pbkdf2_secret" not in page


def person_form(user: User) -> dict[str, str]:
    """Return the fields of the form of a person, without the boxes."""
    lasting = {"username": user.username, "name": user.name, "colour": "red", "email": user.email}
    empty = {
        f"{prefix}-{part}": "0"
        for prefix in ("points", "reports_made", "sanctions", "moderation_acts")
        for part in ("TOTAL_FORMS", "INITIAL_FORMS")
    }
    return lasting | empty


def change(user: User, **fields: Any) -> None:
    """Send the form of a person as an administrator; a box that is not named is not ticked."""
    address = reverse("admin:accounts_user_change", args=[user.pk])
    assert staff("root").post(address, person_form(user) | fields).status_code == 302


def test_superuser_can_make_a_person_a_moderator(alice: User) -> None:
    group = Group.objects.get(name="Match moderators")
    change(alice, is_active="on", is_staff="on", groups=[group.pk])
    alice.refresh_from_db()
    assert alice.is_staff
    assert list(alice.groups.all()) == [group]
    assert alice.has_perm("accounts.suspend")


def test_second_factors_hide_the_secret_and_can_be_deleted(alice: User) -> None:
    factor = Authenticator.objects.create(user=alice, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    admin = staff("root")
    address = reverse("admin:mfa_authenticator_change", args=[factor.pk])
    for url in (address, reverse("admin:mfa_authenticator_changelist")):
        assert b"JBSWY3DPEHPK3PXP" not in admin.get(url).content
    admin.post(reverse("admin:mfa_authenticator_delete", args=[factor.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()


def test_lists_have_a_constant_number_of_queries() -> None:
    admin = staff("root")
    models = ("accounts_user", "games_ratingpoints", "accounts_sanction", "accounts_moderationact", "accounts_block")
    addresses = [reverse(f"admin:{model}_changelist") + "?q=u" for model in models]
    add_rows(0, 1)
    one = [queries_of(admin, address) for address in addresses]
    add_rows(1, 40)
    assert [queries_of(admin, address) for address in addresses] == one
    assert max(one) <= 6


def queries_of(admin: Client, address: str) -> int:
    """Return the number of queries of a list that was opened before and shows the newest row."""
    admin.get(address)
    with CaptureQueriesContext(connection) as captured:
        page = admin.get(address)
    newest = User.objects.filter(name__startswith="U").latest("pk").name
    assert newest.lower().encode() in page.content.lower()
    return len(captured)


def add_rows(first: int, end: int) -> None:
    for number in range(first, end):
        user = User.objects.create(username=f"u{number}", name=f"U{number}")
        RatingPoints.objects.create(user=user, variant="kozel")
        sanction = Sanction.objects.create(user=user, kind="mute", reason="spam", moderator=user)
        ModerationAct.objects.create(user=user, moderator=user, act="mute", target=str(sanction.pk), reason="spam")
        Block.objects.create(blocker=user, blocked=User.objects.earliest("pk"))


def test_admin_needs_the_second_factor(client: Client) -> None:
    root = User.objects.create_superuser("root", "root@example.org", "seven-spotted-goats", name="Root")
    root.emailaddress_set.create(email=root.email, verified=True, primary=True)
    Authenticator.objects.create(user=root, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    entrance = client.get("/admin/", follow=True).redirect_chain[-1][0]
    answer = client.post(entrance, {"login": "root", "password": "seven-spotted-goats"}, follow=True)
    assert answer.request["PATH_INFO"] == reverse("mfa_authenticate")
    assert client.get("/admin/").status_code == 302


LONG = "9" * 30


def test_a_case_about_an_unknown_row_is_no_server_error() -> None:
    root = staff("root")
    statuses = [root.get(open_case_url(name, int(LONG))).status_code for name in ("user", "match", "seat", "message")]
    assert max(statuses) < 500


@pytest.mark.parametrize(
    "model",
    [model for model in admin.site._registry if model is not SiteSwitches],  # it is one page without rows
    ids=lambda model: model.__name__,
)
def test_unknown_ids_are_no_server_errors(model: type[Any]) -> None:
    """In a filter, and among the chosen rows."""
    pages = f"admin:{model._meta.app_label}_{model._meta.model_name}_"
    root, listed = staff("root"), reverse(pages + "changelist")
    answers = [root.get(f"{listed}?{field.name}__id__in=1,{LONG}") for field in model._meta.fields]
    answers += [root.get(f"{listed}?q={LONG}"), root.get(reverse(pages + "change", args=[LONG]))]
    answers += [
        root.post(listed, {"action": name, "_selected_action": [LONG]}) for name in ("open_case", "delete_selected")
    ]
    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []


def test_the_administration_is_in_english_only() -> None:
    root = User.objects.create(username="root", name="Root", is_staff=True, is_superuser=True, language="hu")
    client = Client(headers={"accept-language": "hu"})
    client.force_login(root)
    for address, language in (("/admin/", "en"), (USERS, "en"), ("/accounts/settings/", "hu")):
        assert client.get(address).headers["Content-Language"] == language, address
    assert '<html lang="en"' in client.get("/admin/").text
