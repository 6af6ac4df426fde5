"""Random hostile requests to every endpoint and stream of the API's document, with tokens of every kind.

Half of the values are plausible, and moves that a response offered are made, so that matches go on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from benchmarks import hostile
from benchmarks.hostile_pages import HOSTILE_HEADERS, METHODS, HostileRequest
from benchmarks.wire import Response, encode_request

JSON_TYPE = "application/json"
MAX_KNOWN_MOVES = 200
ODD_TYPES = (JSON_TYPE, JSON_TYPE, JSON_TYPE, "", "text/plain", "application/x-www-form-urlencoded", "a/b; charset=''")


class ApiRequestGenerator:
    """Requests without end; equal seeds and equal responses draw the same."""

    def __init__(self, world: Mapping[str, Any], site: str, rng: Random) -> None:
        self.world, self.site, self.rng = world, site, rng
        self.document = world["document"]
        self.operations = [
            (path, *item) for path, methods in self.document["paths"].items() for item in methods.items()
        ]
        self.tokens: dict[str, list[str]] = world["tokens"]
        self.slugs = [slug for slugs in world["slugs"].values() for slug in slugs] + world["bot_slugs"]
        # Moves that responses offered: the token of the bot, the slug, and the body of the request.
        self.known_moves: list[tuple[str, str, dict[str, Any]]] = []
        self.endpoint = self.sent_token = self.sent_slug = ""

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    def next_request(self) -> HostileRequest:
        if self.known_moves and self.happens(0.3):
            token, slug, body = self.known_moves.pop()
            self.endpoint = "legal moves"
            return self.request("POST", f"/api/match/{slug}/move", token, json.dumps(body).encode())
        pattern, method, operation = self.rng.choice(self.operations)
        token = self.rng.choice(self.tokens[self.rng.choice(list(self.tokens))])
        if self.happens(0.1):
            method = self.rng.choice(METHODS)
        self.endpoint = f"{method.upper()} {pattern}"
        path = self.path(pattern, operation)
        data = self.body(operation) if "requestBody" in operation or self.happens(0.05) else b""
        if self.happens(0.05):
            self.endpoint, method = "odd methods", self.rng.choice(METHODS)
        return self.request(method.upper(), path, token, data)

    def request(self, method: str, path: str, token: str, data: bytes) -> HostileRequest:
        """Return a request with odd headers."""
        self.sent_token, self.sent_slug = token, path.removeprefix("/api/match/").partition("/")[0]
        headers = {"Host": self.site, "Authorization": f"Bearer {token}"}
        if not token:
            del headers["Authorization"]
        if data:
            headers |= {"Content-Type": self.rng.choice(ODD_TYPES) if self.happens(0.1) else JSON_TYPE}
        for name, odd in self.rng.choices(HOSTILE_HEADERS, k=self.rng.choice((0, 0, 0, 1, 2))):
            if name not in ("Content-Length", "Transfer-Encoding", "Content-Type"):
                headers[name] = odd
        headers["Content-Length"] = str(len(data))
        return HostileRequest(encode_request(method, path, headers, data), self.endpoint)

    def path(self, pattern: str, operation: dict[str, Any]) -> str:
        """Return an address that fits the pattern, at times with parameters."""
        values = {name: self.parameter(name) for name in re.findall(r"{(\w+)}", pattern)}
        path = pattern.format(**{name: quote(value, "", errors="surrogatepass") for name, value in values.items()})
        names = [parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"]
        names += self.rng.choices(self.world["queries"], k=1)
        pairs = [(name, self.parameter(name).encode("utf-8", "surrogatepass")) for name in names if self.happens(0.4)]
        if self.happens(0.02):
            return path + self.rng.choice(("/", "//", "/..", "%00", "?" + "a=1&" * 1500, ";x"))
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def parameter(self, name: str) -> str:
        if self.happens(0.25):
            return hostile.random_text(self.rng)[:400]
        values = {
            "slug": self.rng.choice(self.slugs),
            "entry": str(self.rng.randrange(1, 30)),
            "variant": self.rng.choice(self.world["variants"]),
            "person_id": str(self.rng.choice(self.world["ids"])),
            "name": self.rng.choice(self.world["names"]),
            "week": self.rng.choice(("true", "false", "1")),
        }
        return str(values.get(name, self.rng.randrange(40)))

    def body(self, operation: dict[str, Any]) -> bytes:
        """Return a body that mostly fits the schema of the operation."""
        schema = operation.get("requestBody", {}).get("content", {}).get(JSON_TYPE, {}).get("schema", {})
        value = hostile.random_value(self.rng) if self.happens(0.08) else self.value("", schema)
        data = hostile.encode_json(value).encode("utf-8", "surrogatepass")
        return hostile.mangle(data, self.rng) if self.happens(0.04) else data

    def value(self, name: str, schema: dict[str, Any]) -> Any:
        """Return a value for a property, plausible or not."""
        if "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if self.happens(0.15):
            return hostile.random_value(self.rng)
        if "anyOf" in schema:
            return self.value(name, self.rng.choice(schema["anyOf"]))
        if "properties" in schema:
            required = schema.get("required", ())
            names = [key for key in schema["properties"] if key in required or self.happens(0.7)]
            unknown = {hostile.random_text(self.rng)[:40]: hostile.random_value(self.rng)} if self.happens(0.1) else {}
            return {key: self.value(key, schema["properties"][key]) for key in names} | unknown
        simple: dict[str, Any] = {
            "integer": self.rng.randrange(5),
            "number": self.rng.random(),
            "boolean": self.happens(0.5),
            "null": None,
            "array": [hostile.random_value(self.rng) for _ in range(self.rng.randrange(3))],
            "object": {"length": "quick"} if self.happens(0.5) else {hostile.random_text(self.rng)[:40]: "x"},
        }
        kind = schema.get("type", "string")
        return simple[kind] if kind in simple else self.text(name)

    def text(self, name: str) -> str:
        values = {
            "variant": self.world["variants"],
            "move": ["6-4", "6-4 left", "0-0 right", "draw", "pass", "U(0,0)=4/4/5", "H(2,0)=5-1"],
            "clock": ["none", "fast", "normal"],
            "commitment": ["0" * 64, ""],
            "nonce": ["0" * 32, ""],
        }
        return str(self.rng.choice(values[name])) if name in values else hostile.random_text(self.rng)

    def read_response(self, response: Response) -> None:
        """Remember a legal move that a response offers to a bot."""
        if b'"legal"' not in response.body or not response.headers.get("content-type", "").startswith(JSON_TYPE):
            return
        data = json.loads(response.body)
        legal = (data.get("view") or {}).get("legal") if "slug" in data else None
        if legal and self.sent_slug == data["slug"] and len(self.known_moves) < MAX_KNOWN_MOVES:
            body = {"version": data["version"], "move": self.rng.choice(legal)}
            self.known_moves.append((self.sent_token, data["slug"], body))
