"""Acts of operators that concern the whole site. Each needs the permission and a reason, and is logged."""

from __future__ import annotations

from django.db import transaction

from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.models import ServerProcess, SiteSwitches
from games.site_switches import read_switches

Act = ModerationAct.Act
PERMISSION = "games.operate_site"
TARGET = "site"


def set_banner(*, operator: User, text: str, reason: str) -> None:
    """Show a line on every page, or none. Raises PermissionDenied, ValidationError."""
    _switch(operator, Act.SET_BANNER, reason, banner=text.strip())


def set_matches_paused(*, operator: User, paused: bool, reason: str) -> None:
    """Pause new matches, or allow them again. Running matches go on. Raises PermissionDenied, ValidationError."""
    _switch(operator, Act.PAUSE_MATCHES if paused else Act.RESUME_MATCHES, reason, matches_paused=paused)


def set_clocks_stopped(*, operator: User, stopped: bool, reason: str) -> None:
    """Stop the clocks of all people, or start them again. Raises PermissionDenied, ValidationError.

    The heartbeat moves their deadlines (``downtime.write_heartbeat``). Moves and bots go on.
    """
    _switch(operator, Act.STOP_CLOCKS if stopped else Act.START_CLOCKS, reason, clocks_stopped=stopped)


@transaction.atomic
def end_process(*, operator: User, name: str, reason: str) -> None:
    """End a process after its moves in progress.

    Its pages go on in other processes, and the service manager starts a new one. Raises PermissionDenied,
    ValidationError.
    """
    _authorize(operator, reason)
    ServerProcess.objects.filter(name=name).update(must_end=True)
    moderation_log.log_act(moderator=operator, act=Act.END_PROCESS, user=None, target=TARGET, reason=reason)


def _switch(operator: User, act: Act, reason: str, **values: str | bool) -> None:
    with transaction.atomic():
        _authorize(operator, reason)
        SiteSwitches.objects.update_or_create(pk=1, defaults=values)
        moderation_log.log_act(moderator=operator, act=act, user=None, target=TARGET, reason=reason)
    read_switches()


def _authorize(operator: User, reason: str) -> None:
    moderation_log.authorize(moderator=operator, permission=PERMISSION, reason=reason, parties=())
