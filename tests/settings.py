"""The site's settings for pytest: everything written goes to a directory that is gone afterwards."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from typing import Any

if "VAR_DIR" not in os.environ:
    # Set before the real settings are read; the xdist workers inherit it.
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="dominoes-test-")
    atexit.register(shutil.rmtree, os.environ["VAR_DIR"], ignore_errors=True)

# Tests choose languages whether or not they are completely translated. The sites that tests start inherit it.
os.environ["INCOMPLETE_LANGUAGES"] = "1"
# Tests announce their own tournaments.
os.environ["SCHEDULED_TOURNAMENTS"] = "0"

from domino_site.settings import *  # noqa: F403
from domino_site.settings import CACHES, CHANNEL_LAYERS, DATABASES, MIDDLEWARE, ON_SQLITE, PLACES, RATES, REDIS_URL

if REDIS_URL:
    # The workers of pytest-xdist share one Redis: they must not hear each other, nor clear each other's caches.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "tests")
    options: Any = CHANNEL_LAYERS["default"]["CONFIG"]
    options["prefix"] = worker
    database = {"db": 1 + int(worker.removeprefix("gw")) if worker != "tests" else 0}
    cache: Any
    for cache in CACHES.values():
        cache["OPTIONS"] = cache["OPTIONS"] | database
if not ON_SQLITE:
    # No test cuts the power of the database.
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"
# A start waits for nobody: the tests of the nonces say how long it waits in them.
NONCE_SECONDS = 0
# Spectators get the chances to win in their own tests.
CHANCES_CPU_PERCENT = 0
# Pushes are offered in their own tests.
VAPID_PRIVATE_KEY = VAPID_PUBLIC_KEY = ""
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Asynchronous only: it would begin an event loop and change threads five times for every page. The servers that
# tests.server starts serve files; pages are served here.
MIDDLEWARE.remove("servestatic.middleware.ServeStaticMiddleware")
# One machine is everybody here. What is limited, and to how much by default, the tests of limits say.
RATES, PLACES = {name: {} for name in RATES}, {name: {} for name in PLACES}
