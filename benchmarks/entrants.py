"""Simulated people in tournaments, who use the site as a browser does.

They load pages, enter by the form, and keep the socket of the page open. When a page shows the way to their table,
they go there and play. They press nothing between two tables.
"""

from __future__ import annotations

import asyncio
import random
import re
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from benchmarks.returning_pages import BusyTable, Page

FOLLOW_PATTERN = re.compile(r'data-follow="([^"]+)"')
TOKEN_PATTERN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
LOADS = 16  # pages that load at the same time
LOAD_TIMEOUT_SECONDS = 20
RETRY_SECONDS = 1.0  # after a page that did not load
IDLE_SECONDS = 5.0


@dataclass(frozen=True)
class Response:
    status: int
    text: str
    cookies: Mapping[str, str]


@dataclass
class Site:
    """A site as browsers reach it: a server, or a proxy with a certificate of its own."""

    url: str
    tls: ssl.SSLContext | None = None
    loads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(LOADS))
    failed_loads: int = 0

    def request(self, path: str, cookies: Mapping[str, str], form: Mapping[str, str] | None = None) -> Response:
        """Load a page, or send a form. Raises OSError and HTTPException."""
        connection = self.connect()
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Origin": self.url}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            body = urlencode(form) if form is not None else None
            connection.request("POST" if body is not None else "GET", path, body, headers)
            response = connection.getresponse()
            set_cookies = SimpleCookie("; ".join(response.headers.get_all("Set-Cookie", [])))
            text = response.read().decode()
            return Response(response.status, text, {name: morsel.value for name, morsel in set_cookies.items()})
        finally:
            connection.close()

    def connect(self) -> HTTPConnection:
        address = self.url.rpartition("/")[2]
        if self.tls is None:
            return HTTPConnection(address, timeout=LOAD_TIMEOUT_SECONDS)
        return HTTPSConnection(address, context=self.tls, timeout=LOAD_TIMEOUT_SECONDS)

    @property
    def session_cookie(self) -> str:
        return "sessionid" if self.tls is None else "__Host-sessionid"

    async def load(self, path: str, cookies: Mapping[str, str]) -> Response:
        """Load a page, again and again until it is there."""
        loop = asyncio.get_running_loop()
        while True:
            with suppress(OSError, HTTPException):
                response = await loop.run_in_executor(self.loads, self.request, path, cookies)
                if response.status == 200:
                    return response
            self.failed_loads += 1
            await asyncio.sleep(RETRY_SECONDS)


class OpenPage(Page):
    """A page with a socket: of a tournament or of a table. ``follow`` is the path that it leads to."""

    def __init__(self, site: Site, path: str, session: str) -> None:
        super().__init__(site.url, site.tls, path.strip("/").rpartition("/")[2], session)
        self.headers["Cookie"] = f"{site.session_cookie}={session}"
        self.path, self.follow = path, ""
        self.address = f"{site.url.replace('http', 'ws', 1)}/ws{path}"

    def receive(self, frame: str, now: float) -> None:
        super().receive(frame, now)
        paths = [path for path in FOLLOW_PATTERN.findall(frame) if path != self.path]
        self.follow = paths[-1] if paths else self.follow
        if self.lost_at is not None:  # any frame tells that the line works
            self.absences.append((self.lost_at, now))
            self.lost_at = None


@dataclass
class Entrant:
    """A person in a tournament."""

    site: Site
    tournament: str
    session: str
    pause: float  # seconds before a move
    rng: random.Random
    page: OpenPage | None = None
    tables: list[BusyTable] = field(default_factory=list)  # one for each visited page

    @property
    def cookies(self) -> dict[str, str]:
        return {self.site.session_cookie: self.session}

    @property
    def path(self) -> str:
        return f"/tournament/{self.tournament}/"

    def enter(self) -> None:
        """Enter by the form of the page."""
        page = self.site.request(self.path, self.cookies)
        token = TOKEN_PATTERN.search(page.text)
        assert token, page.status
        cookies = self.cookies | dict(page.cookies)
        self.site.request(f"{self.path}enter/", cookies, {"csrfmiddlewaretoken": token[1]})
        assert f"{self.path}withdraw/" in self.site.request(self.path, self.cookies).text

    async def live(self) -> None:
        """Be at the page of the tournament, and go where the pages lead."""
        path = self.path
        while True:
            await self.site.load(path, self.cookies)
            if self.page is not None:
                await self.page.close()
            self.page = OpenPage(self.site, path, self.session)
            path = await self.stay(self.page)

    async def stay(self, page: OpenPage) -> str:
        """Use a page until it leads elsewhere. Return where."""
        table = BusyTable([page], self.rng, self.pause)
        self.tables.append(table)
        connection = asyncio.create_task(page.stay_open(table.changed))
        try:
            while not page.follow:
                await self.act(table)
            return page.follow
        finally:
            connection.cancel()

    async def act(self, table: BusyTable) -> None:
        """Move if it is one's turn, be ready between rounds, else wait for the next frame."""
        with suppress(TimeoutError):
            if table.is_running and not table.is_over:
                await table.make_move_or_confirm_ready()
                await asyncio.sleep(self.pause * self.rng.uniform(0.5, 1.5))
                return
            table.changed.clear()
            async with asyncio.timeout(IDLE_SECONDS):
                await table.changed.wait()

    def acknowledged_moves(self) -> list[tuple[str, float, int, str]]:
        """Return the match, the time, the version and the move of each move that the site has confirmed."""
        return [(table.slug, *move) for table in self.tables for move in table.acknowledged]

    def absences(self) -> list[float]:
        """Return how long pages were without a connection."""
        pages = [page for table in self.tables for page in table.screens]
        return [back - lost for page in pages for lost, back in page.absences]
