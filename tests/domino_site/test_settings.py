"""The switch to production, and what holds everywhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

ROOT = Path(__file__).parents[2]
KEY = "only-for-tests-" + "abcdefghij" * 4


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


def test_production_passes_djangos_own_review():
    done = manage(
        "check", "--deploy", "--fail-level", "WARNING", PRODUCTION="1", SECRET_KEY="x" * 20 + "abcdefghij" * 4
    )
    assert done.returncode == 0, done.stderr


def test_production_does_not_start_without_a_key():
    done = manage("check", PRODUCTION="1", SECRET_KEY="")
    assert done.returncode != 0
    assert "SECRET_KEY" in done.stderr


def test_the_key_of_development_is_made_once(tmp_path: Path):
    for _ in range(2):
        assert manage("check", VAR_DIR=str(tmp_path)).returncode == 0
        made = (tmp_path / "secret_key").read_text()
    assert len(made) >= 50
    assert (tmp_path / "secret_key").read_text() == made
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_production_serves_every_file_its_pages_and_modules_name(tmp_path: Path):
    production = {"PRODUCTION": "1", "SECRET_KEY": KEY, "VAR_DIR": str(tmp_path / "new")}
    done = manage("collectstatic", "--no-input", **production)
    assert done.returncode == 0, done.stderr
    scripts = sorted((tmp_path / "new" / "static" / "js").glob("*.js"))
    assert scripts
    for script in scripts:
        for imported in re.findall(r"""(?:from|import)\s*["'](\./[^"']+)""", script.read_text()):
            assert re.search(r"\.[0-9a-f]{12}\.js$", imported), f"{script.name} imports {imported}"
            assert (script.parent / imported).exists()


def test_debugging_is_off_unless_asked_for():
    assert settings.DEBUG is False


@pytest.mark.django_db
def test_the_policy_is_exactly_this(client: Client):
    policy = client.get("/healthz").headers["Content-Security-Policy"]
    assert {part.strip() for part in policy.split(";")} == {
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "object-src 'none'",
    }


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "status"), [("/no-such-page/", 404), ("/i18n/setlang/", 403)])
def test_errors_have_pages_of_their_own(path: str, status: int):
    client = Client(enforce_csrf_checks=True)
    answer = client.get(path) if status == 404 else client.post(path)
    assert answer.status_code == status
    assert "Dominoes online" in answer.content.decode()


@pytest.mark.django_db
def test_our_own_errors_have_a_page_too(client: Client, monkeypatch: pytest.MonkeyPatch):
    def broken(*_arguments: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("domino_site.monitoring.may_read_metrics", broken)
    client.raise_request_exception = False
    answer = client.get("/metrics")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.content.decode()
    assert "planted" not in answer.content.decode()
