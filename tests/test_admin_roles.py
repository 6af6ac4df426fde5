"""Every admin URL for every role: which ones open, redirect to the log-in, or are forbidden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone

from accounts.admin import open_case_url
from accounts.models import Appeal, Block, Follow, ModerationAct, Sanction, User
from games.conduct import ledger
from games.enums import MatchCorrection
from games.models import Case, Invitation, Match, Message, RatingPoints, Report, SiteSwitches
from games.moderation.admin.opening import SUBJECT_MODELS
from games.permissions import ROLE_PERMISSIONS
from games.tournaments import entering
from infrastructure.admin import HistoryAdmin
from tests.accounts.test_admin import staff
from tests.games import tables
from tests.games.clubs.site import founded
from tests.games.finished import create_finished_match
from tests.games.tournaments.site import MINUTE, START, announced
from tests.moderating import open_and_decide_case

pytestmark = pytest.mark.django_db

# Statuses for Trainees, Chat moderators, Match moderators, Administrators and superusers.
ALL = (200, 200, 200, 200, 200)
FROM_CHAT = (403, 200, 200, 200, 200)
FROM_MATCH = (403, 403, 200, 200, 200)
FROM_ADMINISTRATOR = (403, 403, 403, 200, 200)
SUPERUSERS = (403, 403, 403, 403, 200)
NOBODY = (403, 403, 403, 403, 403)
REDIRECT = (302, 302, 302, 302, 302)  # to another URL, which has its own check

# The list, page and history of rows. Nobody adds or deletes rows, except those in ``CHANGING``.
READING = {
    "accounts_user": ALL,
    "accounts_sanction": ALL,
    "accounts_moderationact": ALL,
    "games_match": ALL,
    "games_seat": ALL,
    "games_message": ALL,
    "games_tournament": ALL,
    "games_entry": ALL,
    "games_club": ALL,
    "games_clubmember": FROM_MATCH,
    "games_ratingpoints": FROM_MATCH,
    "accounts_block": FROM_MATCH,
    "accounts_follow": FROM_MATCH,
    "accounts_appeal": FROM_MATCH,
    "games_matchevent": FROM_MATCH,
    "games_invitation": FROM_MATCH,
    "games_conductmark": FROM_MATCH,
    "games_case": ALL,
    "mfa_authenticator": FROM_ADMINISTRATOR,
    "account_emailaddress": FROM_ADMINISTRATOR,
    "auth_group": SUPERUSERS,
}
OPENING = {
    "games_case_open user": ALL,
    "games_case_open seat": ALL,
    "games_case_open message": ALL,
    "games_case_open match": ALL,
}
# The choices on the page of a row. Chat moderators may lift their own sanctions.
CHOICES = {
    "accounts_sanction": {"lift": FROM_MATCH},
    "accounts_appeal": {"grant": FROM_MATCH, "reject": FROM_MATCH},
    "games_case": {"take_reports": FROM_CHAT},
    "games_match": {"restore": FROM_MATCH, "give_ratings": FROM_MATCH, "open_chat": FROM_CHAT},
    "games_message": {"show": FROM_CHAT},
    "games_tournament": {"cancel": FROM_MATCH, "hide_name": FROM_CHAT},
    "games_entry": {"remove": FROM_MATCH},
    "games_club": {"hide_name": FROM_CHAT, "hide_text": FROM_CHAT, "close": FROM_MATCH},
}
# Decisions of a case about chat: made at once (200), or proposed (403).
MEASURES = {
    "warn": FROM_CHAT,
    "mute": FROM_CHAT,
    "rename": FROM_CHAT,
    "pause": FROM_MATCH,
    "suspend": FROM_MATCH,
    "close": FROM_MATCH,
    "hide": FROM_CHAT,
    "remove": FROM_MATCH,
    "settle": FROM_MATCH,
    "stop": FROM_MATCH,
    "void": FROM_MATCH,
    "ratings": FROM_MATCH,
    "slow_chat": FROM_CHAT,
    "close_chat": FROM_CHAT,
}
CHANGING = {
    "auth_group_add": SUPERUSERS,
    "auth_group_delete": SUPERUSERS,
    "account_emailaddress_add": SUPERUSERS,
    "account_emailaddress_delete": SUPERUSERS,
    "mfa_authenticator_delete": SUPERUSERS,
    "auth_user_password_change": SUPERUSERS,
}
OTHER_PAGES = {
    "index": ALL,
    "login": REDIRECT,
    "password_change": ALL,
    "password_change_done": ALL,
    "jsi18n": ALL,
    "autocomplete": NOBODY,
    "app_list accounts": ALL,
    "app_list games": ALL,
    "app_list mfa": FROM_ADMINISTRATOR,
    "app_list account": FROM_ADMINISTRATOR,
    "app_list auth": SUPERUSERS,
    "games_siteswitches_changelist": SUPERUSERS,
}
POSTED_ONLY = {"logout", "games_case_next"}
UNUSED = {"view_on_site"}


def expected() -> dict[str, tuple[int, ...]]:
    table: dict[str, tuple[int, ...]] = dict(OTHER_PAGES)
    for model, statuses in READING.items():
        table |= dict.fromkeys([f"{model}_changelist", f"{model}_change", f"{model}_history"], statuses)
        table |= dict.fromkeys([f"{model}_add", f"{model}_delete"], NOBODY) | {f"{model}_": REDIRECT}
    return table | OPENING | CHANGING


@pytest.fixture
def rows() -> dict[str, Model]:
    """Return a row of every model in the admin, by model name."""
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    ledger.charge_points(ann.pk, "late", timezone.now(), match_id=match.pk)
    sanction = Sanction.objects.create(user=ann, kind="mute", reason="spam")
    tournament = announced(name="Sunday cup")
    club = founded(text="We meet on Fridays.")
    models: list[Model] = [
        *(ann, match, sanction, match.seats.get(user=ann), match.events.latest("seq"), match.conduct_marks.get()),
        RatingPoints.objects.create(user=ann, variant="kozel"),
        Block.objects.create(blocker=ann, blocked=ben),
        Follow.objects.create(follower=ben, followed=ann),
        Appeal.objects.create(sanction=sanction, words="It was not me"),
        ModerationAct.objects.create(user=ann, act="mute", target=f"user:{ann.pk}", reason="spam"),
        Message.objects.create(match=match, user=ann, name="Ann", text="hello"),
        Invitation.objects.create(match=match, inviter=ann, invited=ben),
        Case.objects.create(suspect=ann, area=Case.Area.values[0]),
        tournament,
        entering.enter(tournament=tournament, user=ann, now=START - MINUTE),
        club,
        club.members.get(),
        Group.objects.get(name="Trainees"),
        SiteSwitches.objects.create(),
        Authenticator.objects.create(user=ann, type="recovery_codes", data={"seed": "", "used_mask": 0}),
        EmailAddress.objects.create(user=ann, email="ann@example.org"),
    ]
    return {f"{row._meta.app_label}_{row._meta.model_name}": row for row in models}


def addresses(rows: dict[str, Model]) -> Iterator[tuple[str, str]]:
    """Yield the name and address of every admin URL."""
    for pattern in admin.site.get_urls():
        if isinstance(pattern, URLResolver):
            yield from _of_model(pattern, rows)
        elif pattern.name == "app_list":
            for label in {model._meta.app_label for model in admin.site._registry}:
                yield f"app_list {label}", reverse("admin:app_list", args=[label])
        elif pattern.name not in UNUSED | POSTED_ONLY and pattern.name is not None:
            yield pattern.name, reverse(f"admin:{pattern.name}")


def _of_model(pages: URLResolver, rows: dict[str, Model]) -> Iterator[tuple[str, str]]:
    model = str(pages.pattern).strip("/").replace("/", "_")
    row, listed = rows[model], reverse(f"admin:{model}_changelist")
    for page in pages.url_patterns:
        assert isinstance(page, URLPattern)
        name = page.name or f"{model}_"
        if name == "games_case_open":
            about = {key.partition("_")[2]: other.pk for key, other in rows.items()}
            yield from ((f"{name} {subject}", open_case_url(subject, about[subject])) for subject in SUBJECT_MODELS)
        elif name not in POSTED_ONLY:
            route = str(page.pattern).replace("<path:object_id>", str(row.pk)).replace("<id>", str(row.pk))
            yield name, listed + route


@pytest.mark.parametrize("place", range(5), ids=[*ROLE_PERMISSIONS, "superuser"])
def test_every_url_answers_every_role_as_in_the_table(rows: dict[str, Model], place: int) -> None:
    """Only the first role that may open a page opens it: test_permissions proves that the next ones may do more."""
    client = staff("mo", [*ROLE_PERMISSIONS, ""][place])
    opened_before = {name for name, of_roles in expected().items() if 200 in of_roles[:place]}
    statuses = {
        name: client.get(address).status_code for name, address in addresses(rows) if name not in opened_before
    }
    # The page of an application without any models for the role answers 404.
    statuses = {name: 403 if status == 404 and "app_list" in name else status for name, status in statuses.items()}
    assert statuses == {name: of[place] for name, of in expected().items() if name not in opened_before}


@pytest.mark.parametrize("name", ["", "person"])
def test_every_url_redirects_others_to_the_log_in(rows: dict[str, Model], name: str) -> None:
    client = Client()
    if name:
        client.force_login(User.objects.create(username=name, name=name))
    answers = {page: client.get(address) for page, address in addresses(rows) if page != "login"}
    open_to_all = {
        page for page, answer in answers.items() if "/login/?next=" not in answer.headers.get("Location", "")
    }
    assert open_to_all == set()


@pytest.mark.parametrize("place", range(5), ids=[*ROLE_PERMISSIONS, "superuser"])
def test_row_pages_offer_every_role_the_choices_in_the_table(rows: dict[str, Model], place: int) -> None:
    client = staff("mo", [*ROLE_PERMISSIONS, ""][place])
    Match.objects.update(status=Match.Status.FINISHED, reversals={"ratings": {}}, chat_limit="slow")
    Message.objects.update(hidden=True)
    Case.objects.update(closed_at=timezone.now())
    reporter, case = tables.person(), rows["games_case"]
    Report.objects.create(case_id=case.pk, reporter=reporter, reason="insults")
    ModerationAct.objects.create(user=reporter, act="refuse_reports", target=f"case:{case.pk}", reason="spam")
    over = create_finished_match([tables.person(), tables.person()])
    Match.objects.filter(pk=over.pk).update(status=Match.Status.VOID, reversals={"void": {}})
    pages = [(model, rows[model].pk) for model in CHOICES] + [("games_match", over.pk)]
    offered = {model: set[str]() for model in CHOICES}
    for model, key in pages:
        answer = client.get(reverse(f"admin:{model}_change", args=[key]))
        offered[model] |= {name for name in CHOICES[model] if f'name="choice" value="{name}"' in answer.text}
    assert offered == {
        model: {name for name, statuses in names.items() if statuses[place] == 200} for model, names in CHOICES.items()
    }


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("is_allowed", [False, True])
def test_decisions_are_made_or_proposed_as_in_the_table(measure: str, is_allowed: bool) -> None:
    """The last role that may only propose and the first that decides: every role has the rights of the one before."""
    first_allowed = MEASURES[measure].index(200)
    role = [*ROLE_PERMISSIONS][first_allowed if is_allowed else first_allowed - 1]
    ann, ben = tables.person("Ann"), tables.person("Ben")
    over = measure == "ratings"
    match = create_finished_match([ann, ben], rated=True) if over else tables.running_table([ann, ben])
    if over:
        match.seats.update(points_gain=2)
        for user in (ann, ben):
            RatingPoints.objects.create(user=user, variant=match.variant, points=2, matches=1)
    line = Message.objects.create(match=match, user=ann, name="Ann", text="hello")
    decision: dict[str, str] = {"hide": "on"} if measure == "hide" else {"correction": measure}
    if measure in Sanction.Kind:
        decision = {"measure": measure}
    case = open_and_decide_case(staff("mo", role), "message", line.pk, **decision)
    assert (case.closed_at is not None) == is_allowed
    assert case.closed_at or case.proposed_by


def test_every_decision_is_in_the_table() -> None:
    assert set(MEASURES) == {*Sanction.Kind, *MatchCorrection, "hide"} - {MatchCorrection.NONE}
    of_models = {
        f"{model._meta.app_label}_{model._meta.model_name}": {action.name for action in pages.row_actions}
        for model, pages in admin.site._registry.items()
        if isinstance(pages, HistoryAdmin) and pages.row_actions
    }
    assert of_models == {model: set(names) for model, names in CHOICES.items()}


def test_every_role_can_take_a_case(rows: dict[str, Model]) -> None:
    statuses = [
        staff(f"mo{place}", role).post(reverse("admin:games_case_next")).status_code
        for place, role in enumerate([*ROLE_PERMISSIONS, ""])
    ]
    assert statuses == [302, 302, 302, 302, 302]
