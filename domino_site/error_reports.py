"""Optional reports of errors to Sentry or GlitchTip, without anything that the log would hide."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.urls import Resolver404, resolve

from domino_site.logs import SECRET_NAMES, TABLE_ADDRESS
from infrastructure.outages import failed_service

PACKAGE = "sentry_sdk"
HIDDEN = "[hidden]"


def start_error_reports(dsn: str, release: str) -> None:
    """Send errors of the log to this address. Raises ImproperlyConfigured if the package is missing."""
    try:
        package: Any = import_module(PACKAGE)
    except ImportError as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN needs a package: .venv/bin/python -m pip install sentry-sdk, or remove the setting."
        ) from error
    package.init(
        dsn=dsn,
        release=release,
        send_default_pii=False,
        include_local_variables=False,  # they could contain hands
        max_request_body_size="never",
        max_breadcrumbs=0,  # queries and requests before the error
        traces_sample_rate=0,
        before_send=clean_report,
    )


def clean_report(report: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any] | None:
    """Hide what the log hides, and everything about the request except its method and route. Drop outages.

    The log has one line a minute about an outage, which is reported.
    """
    error = (hint.get("exc_info") or (None, None))[1]
    if error is not None and failed_service(error):
        return None
    request = report.pop("request", {})
    report.pop("user", None)
    path = urlsplit(request.get("url", "")).path
    route = route_of(unquote(path))
    cleaned: dict[str, Any] = hide(report, {path: route, unquote(path): route} if len(path) > 1 else {})
    return cleaned | ({"request": {"method": request["method"], "url": route}} if "method" in request else {})


def route_of(path: str) -> str:
    """Return the pattern of a path in ``urls``. The path itself may contain a token or the address of a table."""
    try:
        return f"/{resolve(path).route}"
    except Resolver404:
        return HIDDEN


def hide(value: Any, replacements: Mapping[str, str]) -> Any:
    """Hide secret values and the addresses of tables at any depth, and replace these texts."""
    if isinstance(value, dict):
        return {name: HIDDEN if name in SECRET_NAMES else hide(part, replacements) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [hide(part, replacements) for part in value]
    if not isinstance(value, str):
        return value
    for text, replacement in replacements.items():
        value = value.replace(text, replacement)
    return TABLE_ADDRESS.sub(rf"\1\2{HIDDEN}", value)
