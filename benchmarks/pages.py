"""Loads pages of a production site behind the documented proxy over a slow connection.

``python benchmarks/pages.py [--before CHECKOUT] [--runs 3]`` prints, for the front page, a table and a review:
requests, kilobytes on the wire with those of the socket, and the times at which the page is first painted and at which
its scripts have run; for a first and a repeated visit, and for a first visit with a processor a quarter as fast. With
another checkout its visits alternate with those of this one, and the ratios follow. It needs nginx and openssl.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509 import load_pem_x509_certificate
from playwright.sync_api import Browser, BrowserContext, CDPSession, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.browser import hands
from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path
from tests.programs import ROOT, manage_command
from tests.proxy import Proxy
from tests.server import Server

ROUND_TRIP_MS = 150
BYTES_PER_SECOND = 1.6e6 / 8
SLOWDOWN = 4
QUIET_SECONDS = 2.0  # after the last request or frame a visit is over
PRODUCTION = {
    "PRODUCTION": "1",
    "SECRET_KEY": "only-for-benchmarks-" + "abcdefghij" * 4,
    "ALLOWED_HOSTS": "localhost",
    "BEHIND_PROXY": "1",
    "EMAIL_URL": "dummymail://",
}
# A match of the player that waits for them, and a finished one.
PREPARE = f"""{hands.PREPARE_TABLE}
def prepare_pages():
    session_key, slug = prepare_table()
    finished = tables.running_table([tables.person("Ben")], bots=3, clock="none")
    tables.play_until(finished, lambda state: state.match_over)
    addresses = {{"table": f"/match/{{slug}}/", "review": f"/match/{{finished.slug}}/review/"}}
    return session_key, {{"front page": "/", **addresses}}

answer = prepare_pages()
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """Counts and times of one visit; times in seconds after its start."""

    requests: int
    kilobytes: float
    painted: float
    scripts_ran: float

    def __str__(self) -> str:
        return (
            f"{self.requests:3} requests {self.kilobytes:6.1f} kB   painted {self.painted:5.2f} s   "
            f"scripts ran {self.scripts_ran:5.2f} s"
        )


class Site:
    """A checkout's production site behind nginx."""

    def __init__(self, name: str, root: Path, folder: Path, stack: ExitStack) -> None:
        self.name = name
        settings = {**PRODUCTION, "STATIC_DIR": str(folder / "proxy" / "site" / "current" / "staticfiles")}
        server = Server(folder, root=root, **settings)
        proxy = Proxy(folder / "proxy", [server.port])
        subprocess.run(
            [*manage_command(root), "collectstatic", "--no-input", "--verbosity=0"],
            env=server.environment,
            cwd=root,
            check=True,
        )
        stack.enter_context(server)
        self.session_key, self.paths = server.run_code(PREPARE)
        stack.enter_context(proxy.running())
        self.url, self.certificate = proxy.url, proxy.folder / "fullchain.pem"


def key_digest(certificate_file: Path) -> str:
    """Return the digest of the public key of a certificate, as Chromium computes it."""
    certificate = load_pem_x509_certificate(certificate_file.read_bytes())
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b64encode(sha256(key).digest()).decode()


class Meter:
    """Counts what a page transfers."""

    def __init__(self, session: CDPSession) -> None:
        self.requests = 0
        self.bytes = 0.0
        self.last_activity = time.monotonic()
        session.on("Network.requestWillBeSent", self.on_request)
        session.on("Network.loadingFinished", lambda event: self.count(event["encodedDataLength"]))
        session.on("Network.webSocketFrameReceived", lambda event: self.count(len(event["response"]["payloadData"])))
        session.on("Network.webSocketCreated", self.on_request)

    def on_request(self, event: dict[str, object]) -> None:
        request = event.get("request")
        if not (isinstance(request, dict) and str(request["url"]).startswith("data:")):
            self.requests += 1
        self.count(0)

    def count(self, size: float) -> None:
        self.bytes += size
        self.last_activity = time.monotonic()


def visit(context: BrowserContext, url: str, *, slowdown: int = 1) -> Visit:
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    conditions = {"downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND}
    session.send("Network.emulateNetworkConditions", {"offline": False, "latency": ROUND_TRIP_MS, **conditions})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    meter = Meter(session)
    page.goto(url, wait_until="load")
    while time.monotonic() < meter.last_activity + QUIET_SECONDS:
        page.wait_for_timeout(100)
    painted, scripts_ran = page.evaluate(
        """() => [performance.getEntriesByName("first-contentful-paint")[0].startTime,
                  performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd]"""
    )
    page.close()
    return Visit(meter.requests, meter.bytes / 1000, painted / 1000, scripts_ran / 1000)


def visit_as_new(browser: Browser, site: Site, page: str) -> dict[str, Visit]:
    """Visit a page for the first time, again, and for the first time with a slow processor."""
    visits = {}
    for kinds in (["first visit", "repeated visit"], ["slow processor"]):
        context = browser.new_context(viewport={"width": 360, "height": 740})
        context.add_cookies([{"name": "__Host-sessionid", "value": site.session_key, "url": site.url, "secure": True}])
        for kind in kinds:
            slowdown = SLOWDOWN if kind == "slow processor" else 1
            visits[kind] = visit(context, site.url + site.paths[page], slowdown=slowdown)
        context.close()
    return visits


def middle(visits: Sequence[Visit]) -> Visit:
    """Return the medians."""
    return Visit(
        round(median(one.requests for one in visits)),
        *(median(getattr(one, field) for one in visits) for field in ("kilobytes", "painted", "scripts_ran")),
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--before", type=Path, help="another checkout, with its own .venv and node_modules")
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    roots = {"before": options.before.resolve()} if options.before else {}
    with TemporaryDirectory() as folder, ExitStack() as stack:
        sites = [Site(name, root, Path(folder) / name, stack) for name, root in {**roots, "now": ROOT}.items()]
        chromium = stack.enter_context(sync_playwright()).chromium
        # Chromium caches nothing from a site whose certificate it does not trust.
        trusted = f"--ignore-certificate-errors-spki-list={','.join(key_digest(site.certificate) for site in sites)}"
        browser = chromium.launch(executable_path=chromium_path(), args=[*CHROMIUM_FLAGS, trusted])
        for page in sites[0].paths:
            runs = [{site.name: visit_as_new(browser, site, page) for site in sites} for _ in range(options.runs)]
            for kind in runs[0]["now"]:
                results = {site.name: middle([run[site.name][kind] for run in runs]) for site in sites}
                for name, result in results.items():
                    print(f"{page:11} {kind:15} {name:7} {result}")
                if options.before:
                    before, now = results["before"], results["now"]
                    ratios = (getattr(now, field) / getattr(before, field) for field in Visit.__dataclass_fields__)
                    print(f"{page:11} {kind:15} {'ratio':7}", *(f"{ratio:.2f}" for ratio in ratios))
        print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
