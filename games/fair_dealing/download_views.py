"""Downloads for people who check deals themselves: the algorithm, and a program for Node.js."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.fair_dealing.texts import CHECK_TEXTS

ALGORITHM_DOCUMENT = "fair-dealing.md"
PROGRAM_ARCHIVE = "verify_deal.zip"
# The command-line program, and the modules that it shares with the page "Check the deals".
PROGRAM_MODULES = (
    "verify_deal.mjs",
    "day_proof.js",
    "deal_rules.js",
    "played_round.js",
    "proof.js",
    "record.js",
    "shuffle.js",
    "package.json",
)


@require_safe
def download_file(request: HttpRequest, name: str) -> HttpResponse:
    """Serve the description of the algorithm, or the program that checks a match. Raises Http404."""
    if name == ALGORITHM_DOCUMENT:
        return HttpResponse((settings.BASE_DIR / "docs" / name).read_bytes(), content_type="text/plain; charset=utf-8")
    if name == PROGRAM_ARCHIVE:
        return HttpResponse(build_program(), content_type="application/zip")
    raise Http404


def build_program() -> bytes:
    """Return the program as a ZIP file, with the sentences of the page in the active language."""
    files = {module: (settings.BASE_DIR / "static" / "js" / module).read_text() for module in PROGRAM_MODULES}
    files["words.json"] = json.dumps({name: str(text) for name, text in CHECK_TEXTS.items()}, indent=1)
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"verify_deal/{name}", content)
    return buffer.getvalue()
