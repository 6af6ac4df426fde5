"""Logging: one line per event without secrets, as text in development and as JSON in production."""

from __future__ import annotations

import logging
import re
from typing import Any

import structlog
from prometheus_client import Counter
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, Processor, WrappedLogger

# Values with these names are hidden: credentials, and tiles that are face down.
SECRET_NAMES = frozenset(
    {
        "authorization",
        "boneyard",
        "cookie",
        "deck",
        "email",
        "hand",
        "hands",
        "key",
        "nonce",
        "nonces",
        "password",
        "round_key",
        "secret",
        "session",
        "state",
        "tile",
        "tiles",
        "token",
        "view",
    }
)


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Hide the values that must never be in a log."""
    return {name: "[hidden]" if name in SECRET_NAMES else value for name, value in event.items()}


# Paths of tables and names of their groups, as libraries log them. Anybody who has one can watch an unlisted table.
TABLE_ADDRESS = re.compile(r"\b(match|delayed|review|spectator_chat)([./])[a-z0-9]{12}\b")


def hide_table_addresses(_logger: WrappedLogger, _method: str, line: str) -> str:
    """Hide the addresses of tables in a finished line, including its traceback."""
    return TABLE_ADDRESS.sub(r"\1\2[hidden]", line)


class HidePaths(logging.Filter):
    """Log the name of a page instead of its path."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            path = request.path.encode("unicode_escape").decode()  # as Django logs it
            record.args = tuple(page_name(request) if value == path else value for value in record.args)
        return True


LOG_LINES = Counter("dominoes_log_lines_total", "Lines in the log that report a problem, by level", ["level"])
LINE_COUNTS = {getattr(logging, level.upper()): LOG_LINES.labels(level) for level in ("warning", "error", "critical")}


class CountProblems(logging.Filter):
    """Counts the lines of problems that pass the filters before this one."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno in LINE_COUNTS:
            LINE_COUNTS[record.levelno].inc()
        return True


def page_name(request: Any) -> str:
    """Return the name of the requested page in ``urls``."""
    match = request.resolver_match
    return (match and match.view_name) or "unknown"


SHARED_PROCESSORS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    hide_secrets,
]


def configure_structlog() -> None:
    """Make structlog write through the standard library's loggers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED_PROCESSORS,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def log_formatter(*, as_json: bool) -> dict[str, Any]:
    """Return the formatter of log lines: JSON for machines, or text for people."""
    # Local variables in a traceback could contain hands.
    traceback = ExceptionRenderer(ExceptionDictTransformer(show_locals=False))
    renderer: list[Processor] = (
        [traceback, structlog.processors.JSONRenderer()]
        if as_json
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": SHARED_PROCESSORS,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *renderer,
            hide_table_addresses,
        ],
    }


def logging_settings(*, level: str, as_json: bool) -> dict[str, Any]:
    """Return Django's LOGGING."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": log_formatter(as_json=as_json)},
        "filters": {
            "once": {"()": "infrastructure.outages.OutageLogFilter"},
            "without_paths": {"()": "domino_site.logs.HidePaths"},
            "counted": {"()": "domino_site.logs.CountProblems"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["once", "without_paths", "counted"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # Wrong hosts, invalid filters, refused forms and missing pages are errors of visitors, not of the site.
            "django.security": {"level": "CRITICAL"},
            "django.request": {"level": "ERROR"},
            "daphne": {"level": "WARNING"},
            # It would log every failed connection attempt during an outage.
            "psycopg.pool": {"level": "ERROR"},
        },
    }
