"""Settings by subject: accounts.py limits sign-up, login and mail, limits.py everything else."""

# ruff: noqa: F403
from __future__ import annotations

from domino_site.settings.accounts import *
from domino_site.settings.computed import *
from domino_site.settings.database import *
from domino_site.settings.environment import *
from domino_site.settings.limits import *
