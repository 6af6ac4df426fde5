"""Slovak dates and times."""

from __future__ import annotations

DATE_FORMAT = "j. E Y"
DATETIME_FORMAT = "j. E Y G:i"
MONTH_DAY_FORMAT = "j. E"
