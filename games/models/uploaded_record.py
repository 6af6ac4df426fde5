"""A record that a visitor uploaded to review it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class UploadedRecord(models.Model):
    """``packed`` is a compressed transcript. Only the session that holds the token ``owner`` may read it.

    ``report`` is the report of the match, null until it is made (``match_reports/upload_reports.py``), and
    ``report_version`` the newest version that was begun.
    """

    owner = models.CharField(max_length=32)
    name = models.CharField(max_length=16)
    packed = models.BinaryField()
    at = models.DateTimeField()
    report = models.JSONField(null=True)
    report_version = models.PositiveSmallIntegerField(db_default=0, default=0)

    class Meta:
        verbose_name = _("uploaded record")
        verbose_name_plural = _("uploaded records")
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="uploaded_once")]
        indexes = [models.Index(fields=["at"], name="uploaded_at")]

    def __str__(self) -> str:
        return self.name
