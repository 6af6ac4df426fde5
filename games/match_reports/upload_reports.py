"""Stores the reports of uploaded records with them, and finds the records that lack one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games.match_reports.report import REPORT_VERSION, Report, report_from_data
from games.match_reports.reports import REPORT_EXPECTED_WITHIN
from games.models import UploadedRecord


def next_upload_to_report() -> int | None:
    """Return the upload that has waited longest for its report."""
    rows = UploadedRecord.objects.filter(report_version__lt=REPORT_VERSION)
    return rows.order_by("at", "pk").values_list("pk", flat=True).first()


def claim_report(upload_id: int) -> bool:
    """Return whether this process is the first to begin the report of an upload, and the upload still exists."""
    rows = UploadedRecord.objects.filter(pk=upload_id, report_version__lt=REPORT_VERSION)
    return rows.update(report_version=REPORT_VERSION, report=None) > 0


def packed_transcript(upload_id: int) -> bytes | None:
    """Return the compressed transcript of an upload, None if it was deleted."""
    packed = UploadedRecord.objects.filter(pk=upload_id).values_list("packed", flat=True).first()
    return None if packed is None else bytes(packed)


def release_claim(upload_id: int) -> None:
    """Let another process, or this one after its next start, make a report that was interrupted."""
    UploadedRecord.objects.filter(pk=upload_id, report__isnull=True).update(report_version=0)


def store_report(upload_id: int, data: Mapping[str, Any]) -> None:
    """Store a report, unless the upload was deleted."""
    UploadedRecord.objects.filter(pk=upload_id).update(report=data)


def report_of_upload(owner: str, name: str) -> Report | None:
    """Return the report of an upload, None without one of this version."""
    rows = UploadedRecord.objects.filter(owner=owner, name=name, report_version=REPORT_VERSION)
    data = rows.values_list("report", flat=True).first()
    return report_from_data(data) if data else None


def is_report_expected(owner: str, name: str, now: datetime) -> bool:
    """Return whether the record has just been uploaded, so that its report may still come."""
    rows = UploadedRecord.objects.filter(
        owner=owner, name=name, report__isnull=True, at__gt=now - REPORT_EXPECTED_WITHIN
    )
    return rows.exists()
