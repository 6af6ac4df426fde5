"""The site of the browser tests: modules that want a like one share it, one after the other."""

from __future__ import annotations

from typing import Any, Self

import pytest

from tests.server import Server

Wanted = tuple[tuple[str, ...], dict[str, str]]


class Sites:
    """Keeps the site that was last asked for. To begin one takes a second, and each takes memory.

    What a module lays is found by its address, and names are as on any site: no guest is called as an account is.
    """

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self.folders = folders
        self.server: Server | None = None
        self.wanted: Wanted | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.end()

    def running(self, mark: pytest.Mark) -> Server:
        """Return a site as the mark says, with an empty database for who wants to be ``alone``."""
        options: dict[str, Any] = {**mark.kwargs}
        alone = options.pop("alone", False)
        wanted = (mark.args, options)
        if self.server is None or alone or self.wanted != wanted:
            self.end()
            self.server = Server(self.folders.mktemp("site"), *mark.args, **options).__enter__()
            self.wanted = None if alone else wanted
        return self.server

    def end(self) -> None:
        """Stop the site; it may complain of nothing while it does."""
        server, self.server = self.server, None
        if server is not None:
            server.__exit__()
            assert server.errors() == [], server.log()
