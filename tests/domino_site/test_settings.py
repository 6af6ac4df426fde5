"""The switch to production, and what holds everywhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from domino_site.production import find_weak_settings
from tests.accounts.conftest import PASSWORD
from tests.accounts.test_settings_page import FIELDS
from tests.games import tables

ROOT = Path(__file__).parents[2]
KEY = "only-for-tests-" + "abcdefghij" * 4
PRODUCTION = {
    "PRODUCTION": "1",
    "SECRET_KEY": KEY,
    "ALLOWED_HOSTS": "dominoes.example",
    "EMAIL_URL": "smtp://localhost",
}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**inherited, "DJANGO_SETTINGS_MODULE": "domino_site.settings", **environment},
        check=False,
        capture_output=True,
        text=True,
    )


REVIEW = """
from django.conf import settings
from django.core.management import call_command
call_command("check", deploy=True, fail_level="WARNING")
print(settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME)
print(settings.SECRET_KEY_FALLBACKS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD)
print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.LANGUAGE_COOKIE_SECURE)
from accounts import traces
from accounts.login import attempts
print(attempts.DEVICES_COOKIE, traces.DEVICE_COOKIE)
print(settings.STAFF_SECOND_FACTOR)
"""


def test_production_passes_djangos_deployment_check() -> None:
    done = manage("shell", "--no-imports", "-c", REVIEW, **PRODUCTION, SECRET_KEY_FALLBACKS=KEY[::-1])
    assert done.returncode == 0, done.stderr
    *_, cookies, keys, by_https, devices, second_factor = done.stdout.splitlines()
    assert cookies == "__Host-sessionid __Host-csrftoken __Host-django_language"
    assert keys == f"{[KEY[::-1]]} False False"
    assert by_https == "True True True"
    assert devices == "__Host-devices __Host-device"
    assert second_factor == "True"


def test_production_reports_all_weak_settings_at_once() -> None:
    done = manage("check", PRODUCTION="1", SECRET_KEY="", ALLOWED_HOSTS="*")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, "a sentence, no traceback"
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "EMAIL_URL"):
        assert name in done.stderr


MAIL = "smtp://localhost"
HOST = "dominoes.example"


@pytest.mark.parametrize(
    ("environment", "keys", "weak"),
    [
        ({"ALLOWED_HOSTS": HOST, "EMAIL_URL": MAIL}, [KEY], []),
        ({"ALLOWED_HOSTS": HOST, "EMAIL_URL": "dummymail://"}, [KEY, KEY[::-1]], []),
        ({"ALLOWED_HOSTS": HOST, "EMAIL_URL": MAIL}, [""], ["SECRET_KEY"]),
        ({"ALLOWED_HOSTS": HOST, "EMAIL_URL": MAIL}, ["abc"], ["SECRET_KEY"]),
        ({"ALLOWED_HOSTS": HOST, "EMAIL_URL": MAIL}, ["a" * 60], ["SECRET_KEY"]),
        ({"ALLOWED_HOSTS": HOST, "EMAIL_URL": MAIL}, [KEY, "abc"], ["SECRET_KEY"]),
        ({"EMAIL_URL": MAIL}, [KEY], ["ALLOWED_HOSTS"]),
        ({"ALLOWED_HOSTS": f"{HOST},*", "EMAIL_URL": MAIL}, [KEY], ["ALLOWED_HOSTS"]),
        ({"ALLOWED_HOSTS": HOST}, [KEY], ["EMAIL_URL"]),
        ({"ALLOWED_HOSTS": HOST, "EMAIL_URL": "consolemail://"}, [KEY], ["EMAIL_URL"]),
    ],
)
def test_these_settings_are_weak(environment: dict[str, Any], keys: list[str], weak: list[str]) -> None:
    hosts = environment.get("ALLOWED_HOSTS", "localhost").split(",")
    assert [sentence.split()[0] for sentence in find_weak_settings(environment, keys, hosts)] == weak


def test_production_cookies_are_secure(settings: Settings, client: Client) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = settings.LANGUAGE_COOKIE_SECURE = True
    match = tables.open_table([tables.person()], bots=1)
    User.objects.create_user("masha", password=PASSWORD)
    answers = (
        client.post("/accounts/theme/", {"theme": "dark"}),
        client.get(f"/match/{match.slug}/?type=hint&on=true"),
        client.post("/play/"),
        client.post("/accounts/login/", {"login": "masha", "password": PASSWORD}),
        client.post("/accounts/settings/", FIELDS),
    )
    cookies = [cookie for answer in answers for cookie in answer.cookies.values() if cookie.value]
    assert {cookie.key for cookie in cookies if not cookie["secure"]} == set()
    assert {cookie.key for cookie in cookies} == {
        "theme", "hints", "device", "devices", "messages", "sessionid", "csrftoken", "django_language",
    }  # fmt: skip


def test_development_key_is_created_once(tmp_path: Path) -> None:
    def keys() -> dict[str, str]:
        assert manage("check", VAR_DIR=str(tmp_path)).returncode == 0
        return {name: (tmp_path / name).read_text() for name in ("secret_key", "vapid_key")}

    first = keys()
    assert [len(key) for key in first.values()] == [50, 43]
    assert keys() == first
    assert {(tmp_path / name).stat().st_mode & 0o077 for name in first} == {0}


def test_invalid_vapid_key_stops_the_start(tmp_path: Path) -> None:
    done = manage("check", VAR_DIR=str(tmp_path), VAPID_PRIVATE_KEY="c2hvcnQ")
    assert done.returncode != 0
    assert "VAPID_PRIVATE_KEY is not a valid key: 5 bytes instead of 32. Run manage.py vapid." in done.stderr


def test_production_bundles_what_a_page_loads(tmp_path: Path) -> None:
    done = manage("collectstatic", "--no-input", **PRODUCTION, VAR_DIR=str(tmp_path / "new"))
    assert done.returncode == 0, done.stderr
    static_root = tmp_path / "new" / "static"
    assert not any((static_root / folder).exists() for folder in ("css", "js", "htmx"))
    bundles = [path for path in (static_root / "pages").iterdir() if path.suffix in (".css", ".js")]
    entries = {path.name for path in (ROOT / "static" / "pages").iterdir()}
    assert {re.sub(r"\.[0-9a-f]{12}\.", ".", path.name) for path in bundles} == entries
    images = set()
    for bundle in bundles:
        text = bundle.read_text()
        assert not re.search(r"@import|\bimport\s*[\"'{]|sourceMappingURL", text), bundle.name
        images |= {bundle.parent / url for url in re.findall(r"url\([\"']?(\.[^\"')]+)", text)}
        assert all(bundle.with_name(f"{bundle.name}.{encoding}").exists() for encoding in ("br", "gz"))
    assert len(images) > 5
    assert all(re.search(r"\.[0-9a-f]{12}\.\w+$", image.name) and image.exists() for image in images)
    source = "from domino_site.installable import service_worker_source; print(service_worker_source())"
    worker = manage("shell", "-c", source, **PRODUCTION, VAR_DIR=str(tmp_path / "new"))
    assert re.search(r'"/static/img/icon-192\.[0-9a-f]{12}\.png"', worker.stdout), worker.stderr


def test_debug_is_off_by_default() -> None:
    assert settings.DEBUG is False


def test_content_security_policy_is_unchanged(client: Client) -> None:
    policy = client.get("/healthz").headers["Content-Security-Policy"]
    assert {part.strip() for part in policy.split(";")} == {
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "object-src 'none'",
    }


@pytest.mark.parametrize(("path", "status"), [("/no-such-page/", 404), ("/i18n/setlang/", 403)])
def test_client_errors_have_pages(path: str, status: int) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.get(path) if status == 404 else client.post(path)
    assert answer.status_code == status
    assert "Dominoes online" in answer.content.decode()


def test_server_errors_have_a_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("domino_site.monitoring.may_read_metrics", broken)
    client.raise_request_exception = False
    answer = client.get("/metrics")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.content.decode()
    assert "planted" not in answer.content.decode()


def test_proxy_may_read_what_is_built_for_it(tmp_path: Path) -> None:
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "var"), "STATIC_DIR": str(tmp_path / "public")}
    command = [sys.executable, "manage.py", "render_restarting"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, umask=0o022)
    page = tmp_path / "public" / "restarting" / "en.html"
    assert [path.stat().st_mode & 0o777 for path in (page, *page.parents[:2])] == [0o644, 0o755, 0o755]
    assert (tmp_path / "var").stat().st_mode & 0o777 == 0o700
