"""Settings from environment variables. None is needed to play at home."""

from __future__ import annotations

import os
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from domino_site import var
from domino_site.production import find_weak_settings
from infrastructure.vapid import new_private_key, public_key_of

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()
DEBUG = env.bool("DEBUG", default=False)
LOG_LEVEL = env("LOG_LEVEL", default="INFO")
# The folder for the database and the development keys.
VAR = Path(env("VAR_DIR", default=str(BASE_DIR / "var")))
var.prepare_folder(VAR)
# The collected static files of production. Each release has its own, so that a running process keeps those it read.
STATIC_DIR = Path(env("STATIC_DIR", default=str(VAR / "static")))
# The files of public matches that the site makes every month for everybody, and whether it makes them.
OPEN_DATA_DIR = VAR / "open-data"
OPEN_DATA = env.bool("OPEN_DATA", default=True)

PRODUCTION = env.bool("PRODUCTION", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or ("" if PRODUCTION else var.development_key(VAR))
# Former keys. Sessions and encrypted data stay readable, and are written again with the new key.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
if PRODUCTION and (weak := find_weak_settings(os.environ, [SECRET_KEY, *SECRET_KEY_FALLBACKS], ALLOWED_HOSTS)):
    raise ImproperlyConfigured(" ".join(["PRODUCTION does not start with weak settings.", *weak]))
# Links in mails begin with this.
SITE_URL = env(
    "SITE_URL", default=f"https://{ALLOWED_HOSTS[0].lstrip('.')}" if PRODUCTION else "http://localhost:8000"
)
# Trust the one proxy that sets X-Forwarded-Proto and extends X-Forwarded-For (``TrustedScope``); never without one.
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# Full origins (scheme, host, port) from which a browser may open a socket; empty: the page's own origin.
SOCKET_ORIGINS = env.list("SOCKET_ORIGINS", default=[])
# Off by default, because browsers remember for ever that all subdomains use HTTPS.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)
# The address of Sentry or GlitchTip (``domino_site.error_reports``). It needs the package sentry-sdk.
SENTRY_DSN = env("SENTRY_DSN", default="")
METRICS_TOKEN = env("METRICS_TOKEN", default="")
REDIS_URL = env("REDIS_URL", default="")
LOCALE_DIR = Path(env("LOCALE_DIR", default=str(BASE_DIR / "locale")))
# Offer incomplete languages too, so that translators can preview their work.
INCOMPLETE_LANGUAGES = env.bool("INCOMPLETE_LANGUAGES", default=False)

MAIL = env.email_url("EMAIL_URL", default="consolemail://")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("DEFAULT_FROM_EMAIL", default="dominoes@localhost")
# Notifications need a key, and are sent only through these push services.
VAPID_PRIVATE_KEY = env("VAPID_PRIVATE_KEY", default="") or (
    "" if PRODUCTION else var.development_key(VAR, "vapid_key", new_private_key)
)
VAPID_PUBLIC_KEY = public_key_of(VAPID_PRIVATE_KEY) if VAPID_PRIVATE_KEY else ""
PUSH_SERVICES = env.list(
    "PUSH_SERVICES",
    default=["fcm.googleapis.com", "updates.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"],
)

# The longest wait at the start of a match for the players' texts for the shuffle; 0: no wait.
NONCE_SECONDS = env.float("NONCE_SECONDS", default=5)
# Matches within 24 hours that give the same two people rating points.
RATED_MATCHES_OF_A_PAIR_A_DAY = env.int("RATED_MATCHES_OF_A_PAIR_A_DAY", default=10)
# Worker processes for bots, for each process that runs the clock.
BOT_PROCESSES = env.int("BOT_PROCESSES", default=1)
# CPU time for the chances to win that spectators see, in percent of what the process uses otherwise; 0: no chances.
CHANCES_CPU_PERCENT = env.float("CHANCES_CPU_PERCENT", default=4)
# Factor for bots' delays and the pauses of a table, never for players' clocks: 0.2 plays five times as fast.
PACE = env.float("PACE", default=1.0)
# A casual match is stopped after this long without any of its people.
DESERTED_SECONDS = env.float("DESERTED_SECONDS", default=120)
# Whether the site announces tournaments of its own: an arena every hour, and more at weekends.
SCHEDULED_TOURNAMENTS = env.bool("SCHEDULED_TOURNAMENTS", default=True)
