"""The page of open data, and its files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import date
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from games.open_data import months
from games.open_data.files import CHUNK_BYTES, FileInfo, folder_of_month
from games.open_data.texts import CHOICE_FIELDS, NO_SUCH_FILE, RECORD_FIELDS, content_text
from games.records.exports import LimitedStream
from games.words import words_of
from infrastructure.not_found import ExplainedNotFound
from infrastructure.page_limits import limit_keys

DESCRIPTION = "open-data.md"


@require_safe
def open_data_page(request: HttpRequest) -> HttpResponse:
    """List the files of all months, and explain them."""
    rows = [(month, f"{month:%Y-%m}", list(map(_row, files))) for month, files in months.listed_months()]
    context = {"months": rows, "record_fields": RECORD_FIELDS, "choice_fields": CHOICE_FIELDS}
    return render(request, "open_data/page.html", context)


def _row(file: FileInfo) -> tuple[FileInfo, str, str]:
    """Return a file, the name of its game, and what it contains."""
    return file, str(words_of(file.variant).name) if file.variant else "", content_text(file.kind, file.lines)


@require_safe
def download_description(request: HttpRequest) -> HttpResponse:
    """Serve the full description of the files, in English."""
    text = (settings.BASE_DIR / "docs" / DESCRIPTION).read_bytes()
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def download_file(request: HttpRequest, month: str, name: str) -> HttpResponseBase:
    """Serve a listed file in parts, at the speed of its reader."""
    day = _read_month(month)
    file = months.find_file(day, name)
    path = folder_of_month(day) / name
    if file is None or not path.is_file():
        raise ExplainedNotFound(str(NO_SUCH_FILE))
    etag = f'"{file.sha256[:32]}"'
    # The identity keeps the middleware from compressing the file again, which some browsers would not undo.
    headers = {"ETag": etag, "Content-Length": str(file.size), "Content-Encoding": "identity"}
    content_type = "application/gzip" if name.endswith(".gz") else "text/plain; charset=utf-8"
    if request.method == "HEAD":
        return HttpResponse(content_type=content_type, headers=headers)
    if unchanged := get_conditional_response(request, etag=etag):
        return unchanged
    download = LimitedStream(_read_chunks(path), **limit_keys(request))
    return StreamingHttpResponse(download, content_type=content_type, headers=headers)


async def _read_chunks(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk


def _read_month(text: str) -> date:
    with suppress(ValueError):
        month = date.fromisoformat(f"{text}-01")
        if f"{month:%Y-%m}" == text:  # ``fromisoformat`` also reads other spellings
            return month
    raise ExplainedNotFound(str(NO_SUCH_FILE))
