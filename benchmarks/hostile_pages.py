"""Random hostile requests to every URL pattern with a name. Any part of a request can be odd."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from benchmarks import hostile
from benchmarks.hostile import FOREIGN_HOST
from benchmarks.wire import encode_request

TOKEN = "a" * 32
METHODS = (
    ["GET"] * 9 + ["POST"] * 8 + ["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X" * 40]
)
ADMIN_PREFIX = "admin/"
SLUG_CAPTURES = ("slug", "name", "key")
FORM = "application/x-www-form-urlencoded"
BOUNDARY = "xxBOUNDARYxx"
HOSTILE_HEADERS = (
    ("Accept-Language", "hu"),
    ("Accept-Language", "xx-" * 200 + ",*;q=nan"),
    ("Accept", "application/json;q=x"),
    ("Accept-Encoding", "gzip, br;q=2"),
    ("Range", "bytes=5-2,-1,99999999999-"),
    ("If-None-Match", '*, W/"' + "x" * 500),
    ("If-Modified-Since", "yesterday"),
    ("Hx-Request", "true"),
    ("Hx-Current-Url", f"https://{FOREIGN_HOST}/?%ff"),
    ("Host", FOREIGN_HOST),
    ("Host", "[::1"),
    ("Host", "localhost:99999999"),
    ("X-Forwarded-Host", FOREIGN_HOST),
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-For", "not an address, ::1%eth0, 1.2.3.4:5"),
    ("X-Forwarded-Prefix", f"https://{FOREIGN_HOST}"),
    ("X-Script-Name", f"https://{FOREIGN_HOST}"),
    ("Script-Name", f"https://{FOREIGN_HOST}"),
    ("Daphne-Root-Path", f"https://{FOREIGN_HOST}"),
    ("Daphne-Root-Path", "%ff%fe"),
    ("X-Http-Method-Override", "DELETE"),
    ("X-Original-Url", "/admin/"),
    ("Referer", f"https://{FOREIGN_HOST}/"),
    ("Origin", "null"),
    ("Origin", f"https://{FOREIGN_HOST}"),
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
PLAUSIBLE_VALUES = {
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
class HostileRequest:
    """A request as bytes, with a description."""

    data: bytes
    description: str

    def __str__(self) -> str:
        return f"{self.description}: {self.data[:300]!r}"


class RequestGenerator:
    """Requests without end; equal seeds draw the same."""

    def __init__(self, world: Mapping[str, Any], site: str, rng: Random) -> None:
        self.world, self.site, self.rng = world, site, rng
        self.addresses = [address for address in world["addresses"] if not address[0].startswith(ADMIN_PREFIX)]
        self.admin_addresses = [address for address in world["addresses"] if address[0].startswith(ADMIN_PREFIX)]
        self.slugs = [slug for slugs in world["slugs"].values() for slug in slugs]
        self.plausible_values = PLAUSIBLE_VALUES | {
            "variant": world["variants"],
            "game": world["variants"],
            "login": world["names"],
            "password": [world["password"]],
            "oldpassword": [world["password"]],
            "action": world["admin_actions"],
            "_selected_action": [str(number) for number in world["ids"]],
        }

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    def next_request(self) -> HostileRequest:
        method, (pattern, path) = self.rng.choice(METHODS), self.path()
        kind, cookies = self.random_cookies()
        body, content = self.random_body(pattern) if method != "GET" or self.happens(0.05) else (b"", {})
        headers = {"Host": self.site, "Cookie": cookies} | content
        for name, odd in self.rng.choices(HOSTILE_HEADERS, k=self.rng.choice((0, 0, 1, 1, 3))):
            # A length that is not the body's would make two requests of one, or wait for more.
            if name not in content and name not in ("Content-Length", "Transfer-Encoding"):
                headers[name] = odd if name != "Cookie" else f"{cookies}; {odd}"
        return HostileRequest(encode_request(method, path, headers, body), f"{method} {pattern} as {kind}")

    def path(self) -> tuple[str, str]:
        """Return a URL pattern, and a path that fits it, with a query."""
        pattern, captures = self.rng.choice(self.admin_addresses if self.happens(0.2) else self.addresses)
        filled = "/" + pattern % {
            name: quote(self.capture_value(name), "", errors="surrogatepass") for name in captures
        }
        if self.happens(0.04):
            filled = self.rng.choice((f"/{filled}", f"{filled}/..", f"{filled}%2e%2e/", f"{filled};x=1", filled[:-1]))
        elif self.happens(0.01):
            filled = self.rng.choice((f"http://{FOREIGN_HOST}{filled}", "*", "/%ff%fe", "/%00", filled.upper()))
        if self.happens(0.5):
            names = self.world["admin_queries" if pattern.startswith(ADMIN_PREFIX) else "queries"]
            filled += "?" + self.urlencoded_fields(self.rng.choices(names, k=self.rng.randrange(4)))
        return pattern, filled

    def capture_value(self, name: str) -> str:
        if self.happens(0.3):
            return hostile.random_text(self.rng)[:400]
        if name in SLUG_CAPTURES:
            return str(self.rng.choice(self.slugs))
        if name == "variant":
            return str(self.rng.choice(self.world["variants"]))
        if name.endswith("id"):
            return str(self.rng.choice(self.world["ids"]))
        return str(self.rng.randrange(6))

    def random_cookies(self) -> tuple[str, str]:
        """Return a kind of visitor, and the cookies of such a browser."""
        kind = self.rng.choice(("visitor", "guest", "account", "staff", "player", "nobody"))
        sessions = self.world["sessions"] | {
            "nobody": [hostile.random_text(self.rng)[:200].encode("ascii", "replace").decode()]
        }
        sessions["player"] = self.rng.choice(list(self.world["players"].values()))
        token = f"csrftoken={TOKEN}"
        if not sessions.get(kind):
            return "visitor", token
        session = "".join(character for character in self.rng.choice(sessions[kind]) if character.isprintable())
        return kind, f"{token}; sessionid={session}"

    def random_body(self, pattern: str) -> tuple[bytes, dict[str, str]]:
        """Return a body and the headers that belong to it; half of those for the administration choose an action."""
        names = self.rng.choices(self.world["fields"], k=self.rng.randrange(7))
        names += self.rng.choices(list(self.plausible_values), k=self.rng.randrange(4))
        if pattern.startswith(ADMIN_PREFIX) and self.happens(0.5):
            names += ["action", "_selected_action"]
        make = self.rng.choice((self.form_body,) * 7 + (self.multipart_body, self.json_body, self.noise_body))
        data, kind = make(names)
        content = {"Content-Type": kind} if kind else {}
        if self.happens(0.03):
            return b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data) if data else b"0\r\n\r\n", content | {
                "Transfer-Encoding": "chunked"
            }
        if self.happens(0.01):
            data, content["Content-Encoding"] = zlib.compress(data), "deflate"
        return data, content | {"Content-Length": str(len(data))}

    def form_body(self, names: list[str]) -> tuple[bytes, str]:
        token = f"csrfmiddlewaretoken={TOKEN if self.happens(0.9) else 'wrong'}&"
        data = (token + self.urlencoded_fields(names)).encode()
        charset = "; charset=" + self.rng.choice(("utf-16", "utf-7", "none", "'")) if self.happens(0.05) else ""
        return hostile.mangle(data, self.rng) if self.happens(0.05) else data, FORM + charset

    def urlencoded_fields(self, names: list[str]) -> str:
        pairs = [(name, self.field_value(name).encode("utf-8", "surrogatepass")) for name in names]
        return urlencode(pairs)

    def field_value(self, name: str) -> str:
        return (
            self.rng.choice(self.plausible_values[name])
            if name in self.plausible_values and self.happens(0.6)
            else hostile.random_text(self.rng)
        )

    def multipart_body(self, names: list[str]) -> tuple[bytes, str]:
        fields = [
            ("csrfmiddlewaretoken", "", TOKEN),
            *((name, f'; filename="{name}"', self.field_value(name)) for name in names),
        ]
        parts = "".join(
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n{value}\r\n'
            for name, file, value in fields
        )
        data = f"{parts}--{BOUNDARY}--\r\n".encode("utf-8", "surrogatepass")
        whole = hostile.mangle(data, self.rng) if self.happens(0.4) else data
        return whole, f"multipart/form-data; boundary={BOUNDARY}"

    def json_body(self, names: list[str]) -> tuple[bytes, str]:
        data = hostile.encode_json({name: hostile.random_value(self.rng) for name in names})
        return data.encode(), "application/json"

    def noise_body(self, _names: list[str]) -> tuple[bytes, str]:
        return self.rng.randbytes(self.rng.choice((0, 1, 50, 5000))), self.rng.choice((FORM, "", "image/png", ";"))
