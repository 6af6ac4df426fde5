"""The log of moderation acts."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.sanctions.measures import ACT_CHOICES


class ModerationAct(models.Model):
    """An act of a moderator: the kind of a sanction, or one of ``Act``. A look has no reason.

    ``evidence`` is the cause of the act: a case, or lines of chat. The database refuses to change or delete rows
    (``append_only``).
    """

    class Act(models.TextChoices):
        LIFT = "lift", _("lifted a sanction")
        REJECT = "reject", _("rejected an appeal")
        STOP = "stop", _("stopped a match")
        VOID = "void", _("declared a match void")
        SETTLE = "settle", _("ended a match against a player")
        RESTORE = "restore", _("let a void match count again")
        TAKE_RATINGS = "take_ratings", _("took rating changes back")
        GIVE_RATINGS = "give_ratings", _("gave rating changes back")
        REMOVE = "remove", _("removed from a seat")
        CANCEL_TOURNAMENT = "cancel_tournament", _("cancelled a tournament")
        REMOVE_ENTRY = "remove_entry", _("took a person off a tournament")
        HIDE_NAME = "hide_name", _("hid the name of a tournament")
        HIDE_CLUB_TEXT = "hide_club_text", _("hid the name or the text of a club")
        CLOSE_CLUB = "close_club", _("closed a club")
        HIDE = "hide", _("hid a message")
        SHOW = "show", _("showed a message again")
        SLOW_CHAT = "slow_chat", _("slowed the chats of a table")
        CLOSE_CHAT = "close_chat", _("closed the chats of a table")
        OPEN_CHAT = "open_chat", _("opened the chats of a table again")
        REFUSE_REPORTS = "refuse_reports", _("stopped taking a person’s reports for a week")
        TAKE_REPORTS = "take_reports", _("took a person’s reports again")
        OPEN = "open", _("opened a case")
        LEAVE = "leave", _("left a case to others")
        PROPOSE = "propose", _("proposed a decision")
        UPHOLD = "uphold", _("upheld a case")
        DISMISS = "dismiss", _("dismissed a case")
        LOOK = "look", _("looked at private data")
        SET_BANNER = "set_banner", _("changed the banner of the site")
        PAUSE_MATCHES = "pause_matches", _("paused new matches")
        RESUME_MATCHES = "resume_matches", _("let new matches start again")
        STOP_CLOCKS = "stop_clocks", _("stopped all clocks")
        START_CLOCKS = "start_clocks", _("started all clocks again")
        END_PROCESS = "end_process", _("ended a process of the site")

    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    act = models.CharField(max_length=30, choices=[*ACT_CHOICES, *Act.choices])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="moderation_acts"
    )
    target = models.CharField(max_length=1200)
    evidence = models.CharField(max_length=1200, blank=True, default="")
    reason = models.CharField(max_length=300)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("moderation act")
        verbose_name_plural = _("moderation acts")
        indexes = [
            models.Index(fields=["target"], name="act_target"),
            models.Index(fields=["evidence"], name="act_evidence", condition=~models.Q(evidence="")),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.target}"
