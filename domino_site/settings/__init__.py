"""Settings, one module a subject; limits.py and accounts.py hold every rate limit."""

# ruff: noqa: F403
from __future__ import annotations

from domino_site.settings.accounts import *
from domino_site.settings.computed import *
from domino_site.settings.database import *
from domino_site.settings.environment import *
from domino_site.settings.limits import *
