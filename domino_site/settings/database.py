"""The database: SQLite in ``VAR_DIR``, or the one that ``DATABASE_URL`` names."""

from __future__ import annotations

from typing import Any

from domino_site.settings.environment import VAR, env

SQLITE = "django.db.backends.sqlite3"
# The longest wait for a locked, busy or unreachable database. Pages reconnect after six seconds of silence.
DATABASE_SECONDS = env.float("DATABASE_SECONDS", default=5)


def sqlite_options() -> dict[str, Any]:
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


def postgres_options(options: dict[str, Any]) -> dict[str, Any]:
    """``options`` come from the URL, such as a socket directory. Its session settings take precedence."""
    from psycopg_pool import ConnectionPool

    session = (
        f"-c lock_timeout={DATABASE_SECONDS * 1000:.0f}",
        # Releases the locks of a process that hangs in a transaction.
        "-c idle_in_transaction_session_timeout=60s",
        options.get("options", ""),
    )
    pool = {
        "min_size": 2,
        "max_size": env.int("DATABASE_POOL", default=8),
        "timeout": DATABASE_SECONDS,
        # By default a pool doubles its wait after each attempt. This one gives up after a second and tries again.
        "reconnect_timeout": 1,
        "reconnect_failed": ConnectionPool.check,
    }
    # Health checks replace connections that were lost while they waited in the pool.
    return {"OPTIONS": options | {"options": " ".join(session).strip(), "pool": pool}, "CONN_HEALTH_CHECKS": True}


DATABASE: dict[str, Any] = env.db("DATABASE_URL", default=f"sqlite:///{VAR / 'dominoes.sqlite3'}")
ON_SQLITE = DATABASE["ENGINE"] == SQLITE
DATABASE |= sqlite_options() if ON_SQLITE else postgres_options(DATABASE.get("OPTIONS", {}))
