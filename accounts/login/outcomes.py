"""Counts logins by outcome."""

from __future__ import annotations

from prometheus_client import Counter

# "guest": a visitor became a guest. "failed": wrong name, password or code. "limited": refused after many failed ones.
LOGINS = Counter("dominoes_logins_total", "Logins by outcome", ["outcome"])
LOGIN_COUNTS = {outcome: LOGINS.labels(outcome) for outcome in ("account", "guest", "failed", "limited")}
