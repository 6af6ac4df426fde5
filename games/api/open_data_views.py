"""The endpoint of open data: the files of all months."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from ninja import Router, Schema

from games.api.authentication import OPTIONAL_TOKEN, READ, ApiRequest
from games.api.refusals import ERRORS
from games.open_data import months
from games.open_data.files import FileInfo, month_name


class OpenDataFileOut(Schema):
    """A file of a month. ``kind``: ``records``, ``transcripts``, ``choices`` or ``sums``.

    ``lines`` counts its matches or choices, and ``size`` its bytes. ``variant`` is empty for the sums.
    """

    name: str
    variant: str
    kind: str
    lines: int
    size: int
    sha256: str
    address: str


class OpenDataMonthOut(Schema):
    month: str
    files: list[OpenDataFileOut]


class OpenDataOut(Schema):
    license: str
    months: list[OpenDataMonthOut]


router = Router(tags=["open data"], auth=READ)


@router.get("open-data", response={200: OpenDataOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def list_open_data(request: ApiRequest) -> dict[str, Any]:
    """Return the files of public matches without names, the latest month first."""
    return {
        "license": "CC0-1.0",
        "months": [
            {"month": month_name(month), "files": [_file_data(month_name(month), file) for file in files]}
            for month, files in months.listed_months()
        ],
    }


def _file_data(month: str, file: FileInfo) -> dict[str, Any]:
    return file._asdict() | {"address": reverse("open-data-file", args=[month, file.name])}
