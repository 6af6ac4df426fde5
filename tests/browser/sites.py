"""Sites of the browser tests: modules with the same options share one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Self

import pytest

from domino_site.static_files import SOURCE_FOLDERS, bundle_pages
from tests.databases import locked_template_folder
from tests.programs import ROOT
from tests.seeded_manage import BUNDLES_VARIABLE
from tests.server import Server

SiteKey = tuple[tuple[str, ...], dict[str, str]]


def bundled_files() -> Path:
    """Return a folder with the bundles of the pages, made once a run.

    A page that loads 80 files, as in development, costs the browser and the site twice as much.
    """
    with locked_template_folder(ROOT) as folder:
        bundles = folder / "bundles"
        if not bundles.exists():
            sources = folder / "sources"
            shutil.copytree(ROOT / "static", sources)
            shutil.copytree(ROOT / "node_modules" / "htmx.org" / "dist", sources / "htmx")
            bundle_pages(sources)
            for name in SOURCE_FOLDERS:
                shutil.rmtree(sources / name)
            sources.rename(bundles)
    return bundles


class Sites:
    """Keeps the site of the last request running, because starting one takes a second and each takes memory.

    Tests find their rows by address, and names are as on any site: guests must not have the names of accounts.
    """

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self.folders = folders
        self.server: Server | None = None
        self.key: SiteKey | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def site_for(self, mark: pytest.Mark) -> Server:
        """Return a site with the options of the mark, with an empty database if it wants to be ``alone``.

        It serves the bundles of the pages, as in production, unless ``bundles`` is False.
        """
        options: dict[str, Any] = {**mark.kwargs}
        alone = options.pop("alone", False)
        if options.pop("bundles", True):
            options[BUNDLES_VARIABLE] = str(bundled_files())
        key = (mark.args, options)
        if self.server is None or alone or self.key != key:
            self.stop()
            self.server = Server(self.folders.mktemp("site"), *mark.args, **options).__enter__()
            self.key = None if alone else key
        return self.server

    def stop(self) -> None:
        """Stop the site, which must not log errors while it stops."""
        server, self.server = self.server, None
        if server is not None:
            server.__exit__()
            assert server.errors() == [], server.log()
