"""The settings of the site, one module a subject. Stars are used only here, so that each setting is named once."""

# ruff: noqa: F403
from __future__ import annotations

from domino_site.settings.accounts import *
from domino_site.settings.computed import *
from domino_site.settings.database import *
from domino_site.settings.environment import *
from domino_site.settings.limits import *
