"""The streams in the document of the API. ninja describes only the endpoints that it serves."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from ninja import Schema
from ninja.openapi.schema import REF_TEMPLATE

from games.api.refusals import ErrorOut
from games.api.schemas import EventsOut, MatchOut
from infrastructure.api_errors import API_PREFIX
from infrastructure.server.connection import STREAM_HEADER

STREAM_TYPE = STREAM_HEADER[1].decode()
REFUSALS = (401, 403, 404, 405, 429, 503)
NOTE = (
    "The response does not end: one JSON object a line, each complete, at once and after every change, and an empty "
    "line every 15 seconds. A last line in the form of an error says why it ends."
)


def add_streams(document: dict[str, Any]) -> None:
    """Add the streams and their schemas."""
    definitions = EventsOut.model_json_schema(ref_template=REF_TEMPLATE)
    document["components"]["schemas"] |= definitions.pop("$defs") | {EventsOut.__name__: definitions}
    text = "Send the unfinished matches of the bot, and the invitations that it can accept."
    events = _operation("stream_events", text, EventsOut)
    text = "Send a match as the caller may see it. An open stream keeps the seat of the bot, like an open page."
    match = _operation("stream_match", text, MatchOut)
    match["parameters"] = [{"in": "path", "name": "slug", "schema": {"type": "string"}, "required": True}]
    document["paths"] |= {
        f"{API_PREFIX}stream/events": {"get": events},
        f"{API_PREFIX}stream/match/{{slug}}": {"get": match},
    }


def _operation(name: str, text: str, line: type[Schema]) -> dict[str, Any]:
    refusals = {str(status): _response(status, "application/json", ErrorOut) for status in REFUSALS}
    return {
        "operationId": name,
        "summary": name.replace("_", " ").capitalize(),
        "description": f"{text} {NOTE}",
        "parameters": [],
        "responses": {"200": _response(HTTPStatus.OK, STREAM_TYPE, line)} | refusals,
        "tags": ["streams"],
        "security": [{"Token": []}],
    }


def _response(status: int, content_type: str, schema: type[Schema]) -> dict[str, Any]:
    reference = {"$ref": REF_TEMPLATE.format(model=schema.__name__)}
    return {"description": HTTPStatus(status).phrase, "content": {content_type: {"schema": reference}}}
