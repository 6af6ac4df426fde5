"""Gauges that are read at every scrape: the pool of database connections, and the age of the last backup."""

from __future__ import annotations

import time
from math import inf
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from prometheus_client import Gauge

# The backup touches this file in ``VAR_DIR`` after it has succeeded.
BACKUP_STAMP = "backups/latest"
CONNECTIONS = Gauge("dominoes_database_connections", "Connections of the pool to PostgreSQL", ["state"])
CONNECTION_REQUESTS = Gauge("dominoes_database_connections_waiting", "Requests that wait for a connection of the pool")
BACKUP_AGE = Gauge("dominoes_backup_age_seconds", "Seconds since the last successful backup; infinite without one")


def pool_statistics() -> dict[str, int]:
    """Return the statistics of psycopg's pool. SQLite has no pool."""
    pool: Any = getattr(connection, "pool", None)
    return {} if pool is None else pool.get_stats()


def used_connections() -> int:
    statistics = pool_statistics()
    return statistics.get("pool_size", 0) - statistics.get("pool_available", 0)


def backup_age() -> float:
    """Return the seconds since the last backup."""
    try:
        return max(0.0, time.time() - (Path(settings.VAR) / BACKUP_STAMP).stat().st_mtime)
    except OSError:
        return inf


CONNECTIONS.labels("used").set_function(used_connections)
CONNECTIONS.labels("free").set_function(lambda: pool_statistics().get("pool_available", 0))
CONNECTION_REQUESTS.set_function(lambda: pool_statistics().get("requests_waiting", 0))
BACKUP_AGE.set_function(backup_age)
