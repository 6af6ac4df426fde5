"""Limits of requests, except those of sign-up, login and mail.

A new limit needs its line here, and a call of ``infrastructure.limits`` where it applies.

``scripts/limits_table.py`` writes RATE_LIMITS and PLACE_LIMITS into docs/security.md. An environment variable such as
``PAGES_RATE`` or ``PAGES_PLACES`` sets each. ``infrastructure.limit_settings`` explains how they are written.
"""

from __future__ import annotations

from typing import NamedTuple

from domino_site.settings.environment import env
from infrastructure.limit_settings import parse_place_limits, parse_rate_limits


class LimitSetting(NamedTuple):
    """``answer`` is what a client over the limit gets."""

    default: str
    subject: str
    answer: str = "429, `Retry-After`"


# Requests that one address, and one account at it, may send to each process.
RATE_LIMITS = {
    "pages": LimitSetting("300+20/s address, 60+4/s account", "pages, other than static files"),
    "forms": LimitSetting("200+10/s address, 40+3/s account", "forms"),
    "sockets": LimitSetting(
        "150+5/s address, 20+1/s account", "new sockets", "closed with 4013; the page reconnects by itself"
    ),
    "streams": LimitSetting("60+1/s address, 20+1/s account", "new streams of the API"),
    "frames": LimitSetting(
        "600+100/s address, 400+60/s visitors, 60+10/s account",
        "messages over sockets",
        "refused, then closed with 4429",
    ),
    "api": LimitSetting(
        "100+5/s account",
        "requests to the API with a token; those of an address count as pages, or with POST as forms",
    ),
    "tables": LimitSetting(
        "100+20/m address, 10+6/m account",
        "tables opened, quick games, rematches, tournaments announced, clubs founded, changed or joined",
    ),
    "invitations": LimitSetting("60+20/m address, 10+5/m account", "invitations to a seat"),
    "reports": LimitSetting("30+30/h address, 10+10/h account", "reports; of an address, those of its guests only"),
    "opinions": LimitSetting("60+10/m address, 10+4/m account", "questions to the bot about a choice"),
    "branches": LimitSetting(
        "120+60/m address, 60+30/m account",
        "answers of bots in branches of a review",
        "the move stays, with an explanation",
    ),
    "imports": LimitSetting("60+12/m address, 20+6/m account", "uploaded records"),
    "cards": LimitSetting("60+20/m address", "social previews that have to be drawn"),
    "exports": LimitSetting(
        "20+4/m address, 10+2/m account",
        "downloads of all matches of a person; the address counts only without an account",
    ),
}
# Requests or sockets that may be open or waiting at the same time.
PLACE_LIMITS = {
    # Each additional page in progress delays every move by about 8 ms.
    "pages": LimitSetting(
        "1 address",
        "pages and forms in progress, for 0.2 seconds each; browsers take turns",
        "the others wait",
    ),
    "sockets": LimitSetting(
        "300 address, 200 visitors, 20 account", "open sockets", "closed with 4013; the page reconnects by itself"
    ),
    "streams": LimitSetting("8 account", "open streams of the API"),
    "bodies": LimitSetting(
        "4 address", "bodies larger than `FORM_BYTES`, from their headers to their answer", "429, before it is read"
    ),
    "opinions": LimitSetting("5 address, 2 account", "questions to the bot that wait"),
    "branches": LimitSetting(
        "5 address, 2 account", "answers in branches that wait", "the move stays, with an explanation"
    ),
    "imports": LimitSetting("4 address, 1 account", "uploaded records that wait to be read"),
    "cards": LimitSetting("5 address", "social previews that wait"),
    "exports": LimitSetting("4 address, 1 account", "running downloads; all of a process take turns, match by match"),
}
RATES = {
    name: parse_rate_limits(env(f"{name.upper()}_RATE", default=limit.default)) for name, limit in RATE_LIMITS.items()
}
PLACES = {
    name: parse_place_limits(env(f"{name.upper()}_PLACES", default=limit.default))
    for name, limit in PLACE_LIMITS.items()
}

# The largest body of a request, and of one that uploads a record.
FORM_BYTES = env.int("FORM_BYTES", default=65_536)
BODY_BYTES = env.int("BODY_BYTES", default=1_100_000)
UPLOAD_PATHS = frozenset({"/review/import/"})
# The time for the headers of a request, and for its body. The largest body then needs 150 kbit/s.
HEADER_SECONDS = env.float("HEADER_SECONDS", default=10)
BODY_SECONDS = env.float("BODY_SECONDS", default=60)
