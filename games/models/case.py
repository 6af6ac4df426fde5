"""Cases for the moderators: one person in one area, and the reports about that person."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.match import Match
from games.models.message import Message

OPEN_CASE = models.Q(closed_at=None)


class Case(models.Model):
    """The reports about a person in one area until a moderator decides. At most one is open.

    A case without a ``suspect`` is about matches or chat lines; only moderators open such a case.

    ``score`` is its urgency (``games.moderation.cases.urgency``). Until ``held_until`` only ``holder`` works on it.
    ``note`` is for other moderators only. ``proposal`` contains the fields of a decision by ``proposed_by``, who may
    not decide alone.
    """

    Area = enums.CaseArea
    Verdict = enums.Verdict

    suspect = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="cases")
    area = models.CharField(max_length=9, choices=Area)
    score = models.FloatField(default=0)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    verdict = models.CharField(max_length=9, choices=Verdict, blank=True, default="")
    note = models.CharField(_("note"), max_length=300, blank=True, default="")
    holder = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    held_until = models.DateTimeField(null=True, blank=True)
    proposal = models.JSONField(null=True, blank=True)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        permissions = [
            ("decide_case", "Can decide a case"),
            ("propose_decision", "Can propose a decision of a case"),
        ]
        constraints = [models.UniqueConstraint(fields=["suspect", "area"], condition=OPEN_CASE, name="one_open_case")]
        indexes = [models.Index(fields=["-score", "id"], condition=OPEN_CASE, name="case_queue")]

    def __str__(self) -> str:
        return f"{self.suspect or 'nobody'}: {self.get_area_display()}"


class Report(models.Model):
    """A complaint about a person: the reason and the reported place.

    A report with the reason ``BY_HAND`` stands for the moderator who opened the case. One with a ``detector`` is a
    finding of the site (``games.moderation.detectors``). Neither has a reporter. ``step`` is the reported step of the
    review, ``message`` the reported chat line.
    """

    Reason = enums.ReportReason
    Detector = enums.Detector

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports_made"
    )
    reason = models.CharField(max_length=8, choices=Reason)
    detector = models.CharField(max_length=8, choices=Detector, blank=True, default="")
    words = models.CharField(max_length=300, blank=True, default="")
    match = models.ForeignKey(Match, null=True, on_delete=models.SET_NULL, related_name="+")
    step = models.PositiveIntegerField(null=True)
    message = models.ForeignKey(Message, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")

    def __str__(self) -> str:
        return self.get_reason_display()
