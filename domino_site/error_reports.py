"""Optional reports of errors to Sentry or GlitchTip, without anything that the log would hide."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from domino_site.logs import SECRET_NAMES, TABLE_ADDRESS

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


def clean_report(report: dict[str, Any], _hint: dict[str, Any]) -> dict[str, Any]:
    """Hide what the log hides, and everything about the request except its method."""
    method = report.pop("request", {}).get("method")
    report.pop("user", None)
    cleaned: dict[str, Any] = hide(report)
    return cleaned | ({"request": {"method": method}} if method else {})


def hide(value: Any) -> Any:
    """Hide secret values and the addresses of tables at any depth."""
    if isinstance(value, dict):
        return {name: HIDDEN if name in SECRET_NAMES else hide(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [hide(part) for part in value]
    return TABLE_ADDRESS.sub(rf"\1\2{HIDDEN}", value) if isinstance(value, str) else value
