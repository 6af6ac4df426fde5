"""The API: its endpoints, its document at ``/api/openapi.json``, and the page that shows it at ``/api/``."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from ninja import NinjaAPI, Swagger
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser

from games.api import day_views, match_views, open_data_views, person_views, play_views, tournament_views
from games.api.refusals import register_handlers
from games.api.stream_document import add_streams

HTTP_OK = 200
VERSION = "1"
DESCRIPTION = (
    "Reading needs no token. A token, created under API tokens in the settings, goes into the header "
    "`Authorization: Bearer dom_...`. Responses have ETags: send one as `If-None-Match`, and the answer is an empty "
    "304 until something changes. Every error is `{error, text}`. A 429 also names the limit and the seconds to wait."
)


class TextParser(Parser):
    """Reads bodies of which every text can be stored: JSON can hold half a character, such as "\\ud800"."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """Raises ValueError."""
        data = super().parse_body(request)
        json.dumps(data, ensure_ascii=False).encode()
        return data


class JsonApi(NinjaAPI):
    """Adds an ETag to every successful response, answers 304 to a client that has it, and documents the streams."""

    def create_response(
        self,
        request: HttpRequest,
        data: Any,
        *,
        status: int | None = None,
        temporal_response: HttpResponse | None = None,
    ) -> HttpResponse:
        response = super().create_response(request, data, status=status, temporal_response=temporal_response)
        if request.method != "GET" or response.status_code != HTTP_OK:
            return response
        response["ETag"] = f'"{sha256(response.content).hexdigest()[:32]}"'
        response["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ["Authorization", "Accept-Language"])
        return get_conditional_response(request, etag=response["ETag"], response=response) or response

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        document = super().get_openapi_schema(**options)
        add_streams(document)
        return document


API = JsonApi(
    parser=TextParser(),
    title="Dominoes online",
    version=VERSION,
    description=DESCRIPTION,
    docs=Swagger(settings={"validatorUrl": None, "persistAuthorization": False}),
    docs_url="/",
    urls_namespace="api",
)
API.add_router("", match_views.router)
API.add_router("", person_views.router)
API.add_router("", day_views.router)
API.add_router("", open_data_views.router)
API.add_router("", play_views.router)
API.add_router("", tournament_views.router)
register_handlers(API)
