"""Sites of the browser tests: modules with the same options share one."""

from __future__ import annotations

from typing import Any, Self

import pytest

from tests.server import Server

SiteKey = tuple[tuple[str, ...], dict[str, str]]


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
        """Return a site with the options of the mark, with an empty database if it wants to be ``alone``."""
        options: dict[str, Any] = {**mark.kwargs}
        alone = options.pop("alone", False)
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
