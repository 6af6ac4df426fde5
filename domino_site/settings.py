"""Settings. Everything that differs between machines comes from the environment (see README.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from domino_site import logs, var
from domino_site.account_settings import *  # noqa: F403
from domino_site.catalogues import complete
from domino_site.database_settings import DATABASE_SECONDS, SQLITE, database  # noqa: F401
from domino_site.production import weaknesses
from domino_site.request_limits import *  # noqa: F403
from infrastructure.vapid import new_private_key, public_key_of

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
DEBUG = env.bool("DEBUG", default=False)
VAR = Path(env("VAR_DIR", default=str(BASE_DIR / "var")))
var.prepare(VAR)

PRODUCTION = env.bool("PRODUCTION", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or ("" if PRODUCTION else var.development_key(VAR))
# Former keys: sessions and what was encrypted with them stay readable, and are written with the new one.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
if PRODUCTION and (weak := weaknesses(os.environ, [SECRET_KEY, *SECRET_KEY_FALLBACKS], ALLOWED_HOSTS)):
    raise ImproperlyConfigured(" ".join(["PRODUCTION does not start with weak settings.", *weak]))
# Where the links of mails lead to.
SITE_URL = env(
    "SITE_URL", default=f"https://{ALLOWED_HOSTS[0].lstrip('.')}" if PRODUCTION else "http://localhost:8000"
)
# Behind one proxy that sets X-Forwarded-Proto and sets or extends X-Forwarded-For (``TrustedScope``); never without.
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# Full origins (scheme, host, port) from which a browser may open a socket; empty: the page's own origin.
SOCKET_ORIGINS = env.list("SOCKET_ORIGINS", default=[])
METRICS_TOKEN = env("METRICS_TOKEN", default="")

SECURE_SSL_REDIRECT = PRODUCTION
# Balancers ask for the site's health and numbers without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if PRODUCTION else 0
# A promise for all names below the host, and one that browsers keep for ever: only for those who ask for it.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = PRODUCTION
# Browsers take a cookie of this name from the host itself alone, by HTTPS: no other name beside it can plant one.
HOST_ONLY = "__Host-" if PRODUCTION else ""
SESSION_COOKIE_NAME = f"{HOST_ONLY}sessionid"
CSRF_COOKIE_NAME = f"{HOST_ONLY}csrftoken"
LANGUAGE_COOKIE_NAME = f"{HOST_ONLY}django_language"
LANGUAGE_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE: Literal["Lax"] = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "accounts",
    "games",
    "domino_site.apps.SiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "servestatic",
    "django.contrib.staticfiles",
    "django.forms",
    "csp",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]

MIDDLEWARE = [
    "domino_site.monitoring.RequestMetrics",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "domino_site.middleware.NeverCache",
    "infrastructure.page_limits.AddressRateLimit",
    "domino_site.middleware.ProhibitNullCharacters",
    "infrastructure.idempotency.IdempotentForms",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "infrastructure.page_limits.AccountRateLimit",
    "django.middleware.common.CommonMiddleware",
    "infrastructure.idempotency.ClaimForms",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.PersonMiddleware",
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # forms are drawn by templates/django/forms
ROOT_URLCONF = "domino_site.urls"
ASGI_APPLICATION = "domino_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": database(VAR)}
ON_SQLITE = DATABASES["default"]["ENGINE"] == SQLITE

REDIS_URL = env("REDIS_URL", default="")
REDIS_OPTIONS = {"socket_timeout": 2, "socket_connect_timeout": 2}
CACHES = {
    # Apart, so that records and forms push out no limits of log-ins, which a process alone keeps for 100,000 clients.
    name: (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL, "OPTIONS": REDIS_OPTIONS}
        if REDIS_URL
        else {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": name,
            "OPTIONS": {"MAX_ENTRIES": entries},
        }
    )
    for name, entries in {"default": 100_000, "records": 300, "forms": 5_000}.items()
}
# A cache of this process alone would not hear of a log-out in another one.
SESSION_ENGINE = f"django.contrib.sessions.backends.{'cached_db' if REDIS_URL else 'db'}"
CHANNEL_LAYERS = {
    "default": (
        {
            "BACKEND": "games.broadcast.redis_layer.RedisLayer",
            "CONFIG": {"hosts": [{"address": REDIS_URL} | REDIS_OPTIONS]},
        }
        if REDIS_URL
        else {"BACKEND": "games.broadcast.memory_layer.MemoryLayer"}
    )
}

# How long the start of a match waits at most for the players' nonces; 0: for nobody.
NONCE_SECONDS = env.float("NONCE_SECONDS", default=5)

# How many matches within 24 hours bring the same two people rating points.
RATED_MATCHES_OF_A_PAIR_A_DAY = env.int("RATED_MATCHES_OF_A_PAIR_A_DAY", default=10)
# Processes in which bots think, for each process that runs the clock.
BOT_PROCESSES = env.int("BOT_PROCESSES", default=1)
# Multiplies the bots' rhythm and the pauses of the table, never anybody's clock: 0.2 plays five times as fast.
PACE = env.float("PACE", default=1.0)
# After how many seconds without any of its people a casual match is stopped: bots do not play on for nobody.
DESERTED_SECONDS = env.float("DESERTED_SECONDS", default=120)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGES = [
    ("en", "English"),
    ("hu", "Magyar"),
    ("cs", "Čeština"),
    ("sk", "Slovenčina"),
    ("it", "Italiano"),
    ("pl", "Polski"),
]
# For translators, who want to see what they have so far.
if not env.bool("INCOMPLETE_LANGUAGES", default=False):
    LANGUAGES = complete(LANGUAGES, LOCALE_PATHS[0])
TIME_ZONE = "UTC"
USE_TZ = True
SITE_NAME = _("Dominoes online")

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
# At a desk a changed file is seen at once; in production the names carry a hash and are kept for ever.
SERVESTATIC_USE_FINDERS = SERVESTATIC_AUTOREFRESH = not PRODUCTION
SERVESTATIC_KEEP_ONLY_HASHED_FILES = PRODUCTION
SERVESTATIC_ALLOW_ALL_ORIGINS = False
if PRODUCTION:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "domino_site.static_files.HashedFiles"},
    }
STATICFILES_DIRS = [BASE_DIR / "static", ("htmx", BASE_DIR / "node_modules" / "htmx.org" / "dist")]

mail = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(mail)
MAIL_BACKEND, EMAIL_BACKEND = mail["EMAIL_BACKEND"], "accounts.mail.ThreadedBackend"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("DEFAULT_FROM_EMAIL", default="dominoes@localhost")

# Web push is offered only with a key. Nothing is ever sent to a browser's push service that is not among these.
VAPID_PRIVATE_KEY = env("VAPID_PRIVATE_KEY", default="") or (
    "" if PRODUCTION else var.development_key(VAR, "vapid_key", new_private_key)
)
VAPID_PUBLIC_KEY = public_key_of(VAPID_PRIVATE_KEY) if VAPID_PRIVATE_KEY else ""
PUSH_SERVICES = env.list(
    "PUSH_SERVICES",
    default=["fcm.googleapis.com", "updates.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"],
)

logs.configure()
LOGGING = logs.logging_settings(level=env("LOG_LEVEL", default="INFO"), as_json=PRODUCTION)

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
        "object-src": [NONE],
    }
}
