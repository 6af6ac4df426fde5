"""The page of the operators in the admin."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ModerationAct
from games.models import ServerProcess, SiteSwitches
from games.permissions import ROLE_PERMISSIONS
from games.site_switches import current_switches
from tests.accounts.test_admin import staff

pytestmark = pytest.mark.django_db
PAGE = reverse("admin:games_siteswitches_changelist")


@pytest.fixture
def process() -> ServerProcess:
    now = timezone.now()
    figures = {"sockets": 512, "move_seconds": 0.25, "moves_waiting": 3, "errors": 7, "megabytes": 190}
    about = {"roles": "web", "machine": "alpha", "pid": 4321, "version": "1.2.3 abc"}
    return ServerProcess.objects.create(name="ab12", started_at=now, at=now, figures=figures, **about)


def act(client: Client, choice: str, **fields: Any) -> Any:
    return client.post(PAGE, {"choice": choice, "banner": "", "reason": "update"} | fields)


@pytest.mark.parametrize("group", ["", "Operators"])
def test_page_shows_the_processes(process: ServerProcess, group: str) -> None:
    page = staff("op", group).get(PAGE).content.decode()
    assert all(text in page for text in ("web alpha:4321", "1.2.3 abc", "512", "0.25 s", "190"))
    assert "End process web alpha:4321" in page
    assert PAGE in staff("op2", group).get("/admin/").content.decode(), "the overview links to it"


@pytest.mark.parametrize("group", ROLE_PERMISSIONS)
def test_moderators_cannot_operate_the_site(group: str) -> None:
    moderator = staff("mo", group)
    assert moderator.get(PAGE).status_code == 403
    assert act(moderator, "stop_clocks").status_code == 403
    assert not SiteSwitches.objects.exists()


def test_operators_switch_on_and_off(process: ServerProcess) -> None:
    operator = staff("op", "Operators")
    assert act(operator, "banner", banner="Update at ten").status_code == 302
    assert act(operator, "pause_matches").status_code == 302
    assert act(operator, "stop_clocks").status_code == 302
    assert current_switches().banner == "Update at ten"
    assert current_switches().matches_paused
    assert current_switches().clocks_stopped
    page = operator.get(PAGE).content.decode()
    assert "Let new matches start again" in page
    assert 'value="stop_clocks"' not in page
    assert act(operator, "stop_clocks").status_code == 200, "another operator was faster"
    assert act(operator, "resume_matches").status_code == 302
    assert act(operator, "start_clocks").status_code == 302
    assert not current_switches().matches_paused
    assert not current_switches().clocks_stopped
    assert act(operator, f"end {process.name}").status_code == 302
    assert ServerProcess.objects.get().must_end
    assert ModerationAct.objects.filter(reason="update", moderator__username="op").count() == 6


def test_act_needs_a_reason() -> None:
    answer = act(staff("op"), "stop_clocks", reason="")
    assert answer.status_code == 200
    assert not SiteSwitches.objects.exists()


def test_process_that_does_not_report_has_ended(process: ServerProcess) -> None:
    ServerProcess.objects.update(at=timezone.now() - timedelta(minutes=1))
    page = staff("op").get(PAGE).content.decode()
    assert "<strong>ended</strong>" in page
    assert "End process" not in page
