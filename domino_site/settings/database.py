"""The database: SQLite in ``VAR_DIR``, or the one that ``DATABASE_URL`` names."""

from __future__ import annotations

from typing import Any

from domino_site.settings.environment import VAR, env

SQLITE = "django.db.backends.sqlite3"
# How long anything waits for a database that is locked, busy or away. Pages reconnect after six silent seconds.
DATABASE_SECONDS = env.float("DATABASE_SECONDS", default=5)


def sqlite() -> dict[str, Any]:
    return {
        # Connections of pages end with their thread; only ``games.broadcast.database_threads`` keeps one.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": DATABASE_SECONDS,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        },
        # An in-memory database fails under threads.
        "TEST": {"NAME": VAR / "test.sqlite3"},
    }


def postgres(options: dict[str, Any]) -> dict[str, Any]:
    """``options`` are those of the address, such as a socket's directory; settings of the session there win."""
    from psycopg_pool import ConnectionPool

    session = (
        f"-c lock_timeout={DATABASE_SECONDS * 1000:.0f}",
        # A process that hangs in a transaction gives its locks back.
        "-c idle_in_transaction_session_timeout=60s",
        options.get("options", ""),
    )
    pool = {
        "min_size": 2,
        "max_size": env.int("DATABASE_POOL", default=8),
        "timeout": DATABASE_SECONDS,
        # A pool would wait twice as long after each attempt. It gives up after a second, and then looks again.
        "reconnect_timeout": 1,
        "reconnect_failed": ConnectionPool.check,
    }
    # With health checks nobody gets a connection that was lost while it waited in the pool.
    return {"OPTIONS": options | {"options": " ".join(session).strip(), "pool": pool}, "CONN_HEALTH_CHECKS": True}


DATABASE: dict[str, Any] = env.db("DATABASE_URL", default=f"sqlite:///{VAR / 'dominoes.sqlite3'}")
ON_SQLITE = DATABASE["ENGINE"] == SQLITE
DATABASE |= sqlite() if ON_SQLITE else postgres(DATABASE.get("OPTIONS", {}))
