"""Italian dates and times."""

from __future__ import annotations

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
