"""What a browser may send to the server, before anything of the site sees it."""

from __future__ import annotations

from typing import Any

from daphne.http_protocol import WebRequest
from twisted.web.http import HTTPChannel

ROOT_PATH = b"Daphne-Root-Path"


class BoundedRequest(WebRequest):
    """A request for a path of this site."""

    def process(self) -> Any:
        # Daphne would begin all addresses of the site with it, whoever sends it.
        self.requestHeaders.removeHeader(ROOT_PATH)
        if not self.path.startswith(b"/"):
            # Joined to the host it would be another host.
            return self.basic_error(400, b"Bad Request", "Not a path of this site")
        return super().process()


class BoundedChannel(HTTPChannel):
    """The line of one browser, for pages and until it becomes a socket."""

    def connectionMade(self) -> None:
        # Daphne's factory has set its own by now.
        self.requestFactory = BoundedRequest
        super().connectionMade()
