"""Settings: accounts.py limits sign-up and login, limits.py other requests, computed.py holds the CSP."""

# ruff: noqa: F403
from __future__ import annotations

from domino_site.settings.accounts import *
from domino_site.settings.computed import *
from domino_site.settings.database import *
from domino_site.settings.environment import *
from domino_site.settings.limits import *
