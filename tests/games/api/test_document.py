"""The document of the API: valid, complete, and true of every endpoint and its refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from accounts.models import ApiToken, User
from accounts.tokens import issuing
from games.models import Match, Tournament
from infrastructure.limits import limits
from tests.games.reviewed import play_random_moves, stop_match
from tests.games.tables import person
from tests.games.tournaments.test_pages import upcoming

DOCUMENT = "/api/openapi.json"
STREAMS = "/api/stream/"
KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


@cache
def api_document() -> dict[str, Any]:
    document: dict[str, Any] = Client().get(DOCUMENT).json()
    return document


@pytest.fixture
def document(db: None) -> dict[str, Any]:
    return api_document()


@pytest.fixture
def finished() -> Match:
    return stop_match(play_random_moves("kozel", 12))


def all_operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the operations except the streams, which Django does not serve."""
    return (entry for entry in all_operations(document) if not entry[0].startswith(STREAMS))


def address(path: str, match: Match) -> str:
    """Return the address of an endpoint with arguments that exist."""
    user_id = match.seats.exclude(user=None).values_list("user", flat=True).first()
    tournament = Tournament.objects.values_list("slug", flat=True).first()
    slug = tournament if "/tournament/" in path else match.slug
    return path.format(slug=slug, variant=match.variant, person_id=user_id)


def faults(value: object, schema: dict[str, Any], document: dict[str, Any], place: str = "") -> list[str]:
    """Return where a JSON value differs from a schema of the document."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        options = [faults(value, option, document, place) for option in schema["anyOf"]]
        return [] if [] in options else options[0]
    kind = schema.get("type")
    if kind and (not isinstance(value, KINDS[kind]) or (kind == "integer" and isinstance(value, bool))):
        return [f"{place}: {value!r} is no {kind}"]
    if isinstance(value, list):
        return [fault for item in value for fault in faults(item, schema.get("items", {}), document, f"{place}[]")]
    if isinstance(value, dict) and "properties" in schema:
        names = schema["properties"]
        missing = [f"{place}: no {name}" for name in schema.get("required", ()) if name not in value]
        unknown = [f"{place}: {name} is not in the document" for name in value if name not in names]
        inner = [
            fault
            for name in value.keys() & names.keys()
            for fault in faults(value[name], names[name], document, f"{place}.{name}")
        ]
        return missing + unknown + inner
    return []


def content_schema(operation: dict[str, Any], status: int) -> dict[str, Any]:
    schema: dict[str, Any] = operation["responses"][str(status)]["content"]["application/json"]["schema"]
    return schema


def assert_documented(response: Any, operation: dict[str, Any], document: dict[str, Any]) -> None:
    assert response.headers["Content-Type"].startswith("application/json")
    data = json.loads(response.content)
    assert faults(data, content_schema(operation, response.status_code), document) == []


def bearer(*scopes: str, user: User | None = None) -> dict[str, str]:
    user = user or person("Ann")
    secret = issuing.create_token(user=user, name=str(ApiToken.objects.count()), scopes=scopes)
    return {"authorization": f"Bearer {secret}"}


def test_every_reference_exists_and_operation_ids_are_unique(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.")
    text, names = json.dumps(document), document["components"]["schemas"]
    references = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert references <= names.keys()
    ids = [operation["operationId"] for _path, _method, operation in all_operations(document)]
    assert len(ids) == len(set(ids)) >= 8
    for path, _method, operation in all_operations(document):
        declared = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
        assert declared == {part.partition("}")[0] for part in path.split("{")[1:]}
        assert operation["description"]


def test_every_reading_endpoint_returns_what_the_document_says(
    client: Client, document: dict[str, Any], finished: Match, bot: dict[str, str]
) -> None:
    upcoming(host=User.objects.get(name="Max [bot]"))
    for path, method, operation in operations(document):
        if method != "get":
            continue
        status_without_token = 200 if {} in operation["security"] else 401
        for sent, status in (({}, status_without_token), (bot, 200)):
            response = client.get(address(path, finished), headers=sent)
            assert response.status_code == status, path
            assert_documented(response, operation, document)


def test_wrong_tokens_and_missing_scopes_are_refused_everywhere(
    client: Client, document: dict[str, Any], finished: Match
) -> None:
    without_scope = bearer()
    upcoming()
    for path, method, operation in operations(document):
        for sent, status, code in (
            ({"authorization": "Bearer dom_wrong"}, 401, "invalid_token"),
            (without_scope, 403, "missing_scope"),
        ):
            response = send(client, method, address(path, finished), operation, document, headers=sent)
            assert (response.status_code, response.json()["error"]) == (status, code), path
            assert_documented(response, operation, document)


def example_of(schema: dict[str, Any], document: dict[str, Any]) -> Any:
    """Return a value that fits a schema, without its optional properties."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        return {name: example_of(properties[name], document) for name in schema.get("required", ())}
    return {"integer": 0, "boolean": False, "array": []}.get(schema.get("type", ""), "x")


def example_body(operation: dict[str, Any], document: dict[str, Any]) -> Any:
    """Return a body that the document allows, None if the operation has none."""
    if "requestBody" not in operation:
        return None
    return example_of(operation["requestBody"]["content"]["application/json"]["schema"], document)


def send(
    client: Client, method: str, path: str, operation: dict[str, Any], document: dict[str, Any], **options: Any
) -> Any:
    """Send a request with a body that the document allows, or with ``data``."""
    body = example_body(operation, document)
    if body is not None:
        options = {"data": json.dumps(body), "content_type": "application/json"} | options
    return getattr(client, method)(path, **options)


@pytest.fixture
def bot() -> dict[str, str]:
    """Return the headers of a bot with every scope."""
    return bearer("read", "bot:play", "tournament:host", user=person("Max [bot]", bot_owner=person("Max")))


def test_what_does_not_exist_is_404(client: Client, document: dict[str, Any], bot: dict[str, str]) -> None:
    for path, method, operation in operations(document):
        if "{" in path:
            nowhere = path.format(slug="nowhere", variant="chess", person_id=10**15)
            response = send(client, method, nowhere, operation, document, headers=bot)
            assert response.status_code == 404, path
            assert_documented(response, operation, document)


def test_bodies_that_do_not_fit_are_refused(
    client: Client, document: dict[str, Any], finished: Match, bot: dict[str, str]
) -> None:
    for path, method, operation in operations(document):
        if "requestBody" not in operation:
            continue
        for data, status, code in (("{", 400, "bad_request"), ("7", 422, "invalid"), ("[[]]", 422, "invalid")):
            target = address(path, finished)
            response = send(client, method, target, operation, document, data=data, headers=bot)
            assert (response.status_code, response.json()["error"]) == (status, code), path
            assert_documented(response, operation, document)


def test_matches_that_are_over_take_no_requests(
    client: Client, document: dict[str, Any], finished: Match, bot: dict[str, str]
) -> None:
    finished.seats.filter(index=0).update(user=User.objects.get(name="Max [bot]"))
    for path, method, operation in operations(document):
        if method != "get" and path.startswith("/api/match/"):
            response = send(client, method, address(path, finished), operation, document, headers=bot)
            assert response.status_code in (400, 409), path
            assert_documented(response, operation, document)


def test_outages_are_503_everywhere(
    document: dict[str, Any], finished: Match, bot: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_authorization: str) -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr("games.api.authentication.authenticate", fail)
    client = Client(raise_request_exception=False)
    for path, method, operation in operations(document):
        response = send(client, method, address(path, finished), operation, document, headers=bot)
        assert (response.status_code, response.json()["error"]) == (503, "unavailable"), path
        assert int(response.headers["Retry-After"]) > 0
        assert_documented(response, operation, document)


def test_invalid_arguments_are_refused(client: Client, document: dict[str, Any], finished: Match) -> None:
    for query, status in (
        ("matches?after=yesterday", 400),
        ("matches?variant=chess", 404),
        ("matches?name=%00", 400),
        (f"person/{2**70}", 404),
        ("person/zoe", 404),
        ("leaderboard/kozel?week=perhaps", 422),
    ):
        response = client.get(f"/api/{query}")
        assert response.status_code == status, query
        assert response.json().keys() == {"error", "text"}


def test_errors_outside_the_endpoints_are_json(client: Client) -> None:
    for method, path, status, code in (
        ("get", "/api/nothing", 404, "not_found"),
        ("post", "/api/tables", 405, "method_not_allowed"),
    ):
        response = getattr(client, method)(path)
        assert (response.status_code, response.json()["error"]) == (status, code)
    assert client.post("/api/tables").headers["Allow"] == "GET"
    assert "text/html" in client.get("/nothing/").headers["Content-Type"]


def test_limits_name_themselves_and_the_seconds_to_wait(
    client: Client,
    document: dict[str, Any],
    finished: Match,
    bot: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, (path, method, operation) in product(("address", "api"), operations(document)):
        limit = {"get": "pages", "post": "forms"}[method] if name == "address" else name
        with monkeypatch.context() as patch:
            patch.setattr(limits, "consume", lambda name, limit=limit, **_keys: 2.5 if name == limit else 0.0)
            response = send(client, method, address(path, finished), operation, document, headers=bot)
        data = response.json()
        assert (response.status_code, data["error"]) == (429, "too_many_requests")
        assert (data["limit"], data["seconds"], response.headers["Retry-After"]) == (limit, 3, "3")
        assert_documented(response, operation, document)


def test_unchanged_responses_are_304(client: Client, finished: Match) -> None:
    first = client.get(f"/api/match/{finished.slug}")
    tag = {"if-none-match": first.headers["ETag"]}
    again = client.get(f"/api/match/{finished.slug}", headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    Match.objects.filter(pk=finished.pk).update(revision=finished.revision + 1, commitment="another")
    assert client.get(f"/api/match/{finished.slug}", headers=tag).status_code == 200


def test_page_of_the_document_needs_no_other_site(client: Client) -> None:
    page = client.get("/api/").content.decode()
    assert "ninja/swagger-ui-bundle.js" in page
    assert "://" not in page
    assert '"validatorUrl": null' in page
