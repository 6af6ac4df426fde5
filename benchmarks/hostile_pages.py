"""Hostile requests, drawn by chance: every address that has a name, odd in every part of what is asked."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from benchmarks import hostile
from benchmarks.hostile import ELSEWHERE
from benchmarks.wire import request

TOKEN = "a" * 32
METHODS = (
    ["GET"] * 9 + ["POST"] * 8 + ["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X" * 40]
)
ADMINISTRATION = "admin/"
SLUGS = ("slug", "name", "key")
FORM = "application/x-www-form-urlencoded"
BOUNDARY = "xxBOUNDARYxx"
HEADERS = (
    ("Accept-Language", "hu"),
    ("Accept-Language", "xx-" * 200 + ",*;q=nan"),
    ("Accept", "application/json;q=x"),
    ("Accept-Encoding", "gzip, br;q=2"),
    ("Range", "bytes=5-2,-1,99999999999-"),
    ("If-None-Match", '*, W/"' + "x" * 500),
    ("If-Modified-Since", "yesterday"),
    ("Hx-Request", "true"),
    ("Hx-Current-Url", f"https://{ELSEWHERE}/?%ff"),
    ("Host", ELSEWHERE),
    ("Host", "[::1"),
    ("Host", "localhost:99999999"),
    ("X-Forwarded-Host", ELSEWHERE),
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-For", "not an address, ::1%eth0, 1.2.3.4:5"),
    ("X-Forwarded-Prefix", f"https://{ELSEWHERE}"),
    ("X-Script-Name", f"https://{ELSEWHERE}"),
    ("Script-Name", f"https://{ELSEWHERE}"),
    ("Daphne-Root-Path", f"https://{ELSEWHERE}"),
    ("Daphne-Root-Path", "%ff%fe"),
    ("X-Http-Method-Override", "DELETE"),
    ("X-Original-Url", "/admin/"),
    ("Referer", f"https://{ELSEWHERE}/"),
    ("Origin", "null"),
    ("Origin", f"https://{ELSEWHERE}"),
    ("Authorization", "Bearer " + "A" * 2000),
    ("Authorization", "Basic %%%"),
    ("Cookie", "theme=" + "x" * 3000 + "; hints=on; hints=\\377"),
    ("Cookie", 'django_language="\\"; =; ;; sessionid'),
    ("Cookie", "messages=" + "x:y:z" * 40),
    ("Content-Encoding", "gzip"),
    ("Content-Length", "-1"),
    ("Content-Type", "multipart/form-data"),
    ("Content-Type", "text/html; charset=utf-7"),
    ("Transfer-Encoding", "identity"),
    ("Upgrade", "h2c"),
    ("Expect", "100-continue"),
    ("Te", "trailers"),
    ("X-Empty", ""),
    ("X-Long", "x" * 8000),
    ("X-Odd", "\u00e9\u2603"),
    ("User-Agent", "'; <script>alert(1)</script> {{7*7}} %s"),
)
# Values that pages send, by name of the field.
PLAIN = {
    "v": [str(number) for number in range(30)],
    "version": ["1", "5"],
    "move": ["6-4", "6-4:l", "0-0", "draw", "pass", "play 6-4"],
    "tile": ["6-4", "0-0", "5-5-5"],
    "index": list("01234"),
    "at": ["1", "2", "20", "last"],
    "as": ["0", "1", "open", "all"],
    "seats": ["2", "3", "4"],
    "clock": ["fast", "normal", "none"],
    "visibility": ["public", "link"],
    "delay": ["none", "30", "round", "open"],
    "stakes": ["casual", "rated"],
    "language": ["en", "hu", "xx"],
    "theme": ["dark", "light"],
    "colour": ["red", "teal"],
    "next": ["/", "/matches/"],
    "text": ["hello"],
    "sure": ["on"],
    "nonce": ["0" * 32],
}


@dataclass(frozen=True, slots=True)
class Ask:
    """A request as bytes, and what it is in words."""

    data: bytes
    what: str


class Pages:
    """Requests without end; the same chance draws the same."""

    def __init__(self, world: Mapping[str, Any], site: str, chance: Random) -> None:
        self.world, self.site, self.chance = world, site, chance
        self.addresses = [address for address in world["addresses"] if not address[0].startswith(ADMINISTRATION)]
        self.administration = [address for address in world["addresses"] if address[0].startswith(ADMINISTRATION)]
        self.slugs = [slug for slugs in world["slugs"].values() for slug in slugs]
        self.plain = PLAIN | {
            "variant": world["variants"],
            "game": world["variants"],
            "login": world["names"],
            "password": [world["password"]],
            "oldpassword": [world["password"]],
            "action": world["admin_actions"],
            "_selected_action": [str(number) for number in world["ids"]],
        }

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def next(self) -> Ask:
        method, (pattern, path) = self.chance.choice(METHODS), self.path()
        kind, cookies = self.cookies()
        body, content = self.body(pattern) if method != "GET" or self.often(0.05) else (b"", {})
        headers = {"Host": self.site, "Cookie": cookies} | content
        for name, odd in self.chance.choices(HEADERS, k=self.chance.choice((0, 0, 1, 1, 3))):
            # A length that is not the body's would make two requests of one, or wait for more.
            if name not in content and name not in ("Content-Length", "Transfer-Encoding"):
                headers[name] = odd if name != "Cookie" else f"{cookies}; {odd}"
        return Ask(request(method, path, headers, body), f"{method} {pattern} as {kind}")

    def path(self) -> tuple[str, str]:
        """Return an address as a pattern, and with captures and a query filled in."""
        pattern, captures = self.chance.choice(self.administration if self.often(0.2) else self.addresses)
        filled = "/" + pattern % {name: quote(self.capture(name), "", errors="surrogatepass") for name in captures}
        if self.often(0.04):
            filled = self.chance.choice(
                (f"/{filled}", f"{filled}/..", f"{filled}%2e%2e/", f"{filled};x=1", filled[:-1])
            )
        elif self.often(0.01):
            filled = self.chance.choice((f"http://{ELSEWHERE}{filled}", "*", "/%ff%fe", "/%00", filled.upper()))
        if self.often(0.5):
            names = self.world["admin_queries" if pattern.startswith(ADMINISTRATION) else "queries"]
            filled += "?" + self.encoded(self.chance.choices(names, k=self.chance.randrange(4)))
        return pattern, filled

    def capture(self, name: str) -> str:
        if self.often(0.3):
            return hostile.text(self.chance)[:400]
        if name in SLUGS:
            return str(self.chance.choice(self.slugs))
        if name == "variant":
            return str(self.chance.choice(self.world["variants"]))
        if name.endswith("id"):
            return str(self.chance.choice(self.world["ids"]))
        return str(self.chance.randrange(6))

    def cookies(self) -> tuple[str, str]:
        """Return who asks, and the cookies of that browser."""
        kind = self.chance.choice(("visitor", "guest", "account", "staff", "player", "nobody"))
        sessions = self.world["sessions"] | {
            "nobody": [hostile.text(self.chance)[:200].encode("ascii", "replace").decode()]
        }
        sessions["player"] = self.chance.choice(list(self.world["players"].values()))
        token = f"csrftoken={TOKEN}"
        if not sessions.get(kind):
            return "visitor", token
        session = "".join(character for character in self.chance.choice(sessions[kind]) if character.isprintable())
        return kind, f"{token}; sessionid={session}"

    def body(self, pattern: str) -> tuple[bytes, dict[str, str]]:
        """Return a body and the headers that belong to it; half of those for the administration choose an action."""
        names = self.chance.choices(self.world["fields"], k=self.chance.randrange(7))
        names += self.chance.choices(list(self.plain), k=self.chance.randrange(4))
        if pattern.startswith(ADMINISTRATION) and self.often(0.5):
            names += ["action", "_selected_action"]
        make = self.chance.choice((self.form,) * 7 + (self.multipart, self.as_json, self.noise))
        data, kind = make(names)
        content = {"Content-Type": kind} if kind else {}
        if self.often(0.03):
            return b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data) if data else b"0\r\n\r\n", content | {
                "Transfer-Encoding": "chunked"
            }
        if self.often(0.01):
            data, content["Content-Encoding"] = zlib.compress(data), "deflate"
        return data, content | {"Content-Length": str(len(data))}

    def form(self, names: list[str]) -> tuple[bytes, str]:
        token = f"csrfmiddlewaretoken={TOKEN if self.often(0.9) else 'wrong'}&"
        data = (token + self.encoded(names)).encode()
        charset = "; charset=" + self.chance.choice(("utf-16", "utf-7", "none", "'")) if self.often(0.05) else ""
        return hostile.mangled(data, self.chance) if self.often(0.05) else data, FORM + charset

    def encoded(self, names: list[str]) -> str:
        pairs = [(name, self.field(name).encode("utf-8", "surrogatepass")) for name in names]
        return urlencode(pairs)

    def field(self, name: str) -> str:
        return (
            self.chance.choice(self.plain[name])
            if name in self.plain and self.often(0.6)
            else hostile.text(self.chance)
        )

    def multipart(self, names: list[str]) -> tuple[bytes, str]:
        fields = [
            ("csrfmiddlewaretoken", "", TOKEN),
            *((name, f'; filename="{name}"', self.field(name)) for name in names),
        ]
        parts = "".join(
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n{value}\r\n'
            for name, file, value in fields
        )
        data = f"{parts}--{BOUNDARY}--\r\n".encode("utf-8", "surrogatepass")
        whole = hostile.mangled(data, self.chance) if self.often(0.4) else data
        return whole, f"multipart/form-data; boundary={BOUNDARY}"

    def as_json(self, names: list[str]) -> tuple[bytes, str]:
        return hostile.as_json({name: hostile.value(self.chance) for name in names}).encode(), "application/json"

    def noise(self, _names: list[str]) -> tuple[bytes, str]:
        return self.chance.randbytes(self.chance.choice((0, 1, 50, 5000))), self.chance.choice(
            (FORM, "", "image/png", ";")
        )
