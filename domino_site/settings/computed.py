"""Settings that follow from the environment or are the same everywhere."""

from __future__ import annotations

from typing import Literal

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from domino_site import logs
from domino_site.catalogues import complete_languages
from domino_site.error_reports import start_error_reports
from domino_site.settings.database import DATABASE
from domino_site.settings.environment import (
    BASE_DIR,
    INCOMPLETE_LANGUAGES,
    LOCALE_DIR,
    LOG_LEVEL,
    MAIL,
    PRODUCTION,
    REDIS_URL,
    SENTRY_DSN,
    STATIC_DIR,
)
from infrastructure.version import read_revision

SECURE_SSL_REDIRECT = PRODUCTION
# Balancers ask for the site's health and numbers without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if PRODUCTION else 0
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
    "django.contrib.sitemaps",
    "servestatic",
    "django.contrib.staticfiles",
    "django.forms",
    "csp",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "ninja",
]

MIDDLEWARE = [
    "domino_site.request_ids.RequestIds",
    "domino_site.monitoring.RequestMetrics",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # docs/security.md says why this is safe
    "csp.middleware.CSPMiddleware",
    "infrastructure.api_errors.ApiErrors",
    "domino_site.middleware.NeverCache",
    "infrastructure.page_limits.AddressRateLimit",
    "domino_site.middleware.ProhibitNullCharacters",
    "infrastructure.idempotency.IdempotentForms",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.page_language.LanguageMiddleware",
    "infrastructure.page_limits.AccountRateLimit",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.PersonMiddleware",
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # templates/django/forms renders forms
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

DATABASES = {"default": DATABASE}
REDIS_OPTIONS = {"socket_timeout": 2, "socket_connect_timeout": 2}
CACHES = {
    # Separate caches, so that forms do not push out login limits. Without Redis a process counts 100,000 clients.
    name: (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL, "OPTIONS": REDIS_OPTIONS}
        if REDIS_URL
        else {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": name,
            "OPTIONS": {"MAX_ENTRIES": entries},
        }
    )
    for name, entries in {"default": 100_000, "forms": 5_000}.items()
}
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

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LOCALE_PATHS = [LOCALE_DIR]
FORMAT_MODULE_PATH = ["domino_site.formats"]
LANGUAGES = [
    ("en", "English"),
    ("hu", "Magyar"),
    ("cs", "Čeština"),
    ("sk", "Slovenčina"),
    ("it", "Italiano"),
    ("pl", "Polski"),
]
if not INCOMPLETE_LANGUAGES:
    LANGUAGES = complete_languages(LANGUAGES, LOCALE_PATHS[0])
TIME_ZONE = "UTC"
USE_TZ = True
SITE_NAME = _("Dominoes online")

STATIC_URL = "/static/"
STATIC_ROOT = STATIC_DIR
# In development a changed file is served at once. In production names contain a hash and are cached for ever.
SERVESTATIC_USE_FINDERS = SERVESTATIC_AUTOREFRESH = not PRODUCTION
SERVESTATIC_KEEP_ONLY_HASHED_FILES = PRODUCTION
SERVESTATIC_ALLOW_ALL_ORIGINS = False
if PRODUCTION:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "domino_site.static_files.BundledFiles"},
    }
STATICFILES_DIRS = [BASE_DIR / "static", ("htmx", BASE_DIR / "node_modules" / "htmx.org" / "dist")]

# A thread sends each mail through the backend that EMAIL_URL names.
MAIL_BACKEND, EMAIL_BACKEND = MAIL["EMAIL_BACKEND"], "accounts.mail.ThreadedBackend"
EMAIL_HOST, EMAIL_PORT = MAIL["EMAIL_HOST"], MAIL["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL["EMAIL_HOST_USER"], MAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.get("EMAIL_USE_TLS", False), MAIL.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = MAIL["EMAIL_FILE_PATH"]
EMAIL_TIMEOUT = 20

logs.configure_structlog()
LOGGING = logs.logging_settings(level=LOG_LEVEL, as_json=PRODUCTION)
if SENTRY_DSN:
    start_error_reports(SENTRY_DSN, read_revision(BASE_DIR))

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
