"""The site can be installed as an app."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from infrastructure.vapid import public_key_of


def test_manifest_icons_have_the_stated_sizes(client: Client) -> None:
    assert b'<link rel="manifest" href="/manifest.webmanifest">' in client.get("/rules/").content
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    sizes = {}
    for icon in manifest["icons"]:
        file = finders.find(icon["src"].removeprefix(settings.STATIC_URL))
        assert isinstance(file, str)
        sizes[icon["purpose"], icon["sizes"]] = struct.unpack(">II", Path(file).read_bytes()[16:24])
    assert sizes == {
        ("any", "192x192"): (192, 192),
        ("any", "512x512"): (512, 512),
        ("maskable", "512x512"): (512, 512),
    }


def test_service_worker_controls_the_whole_site_and_stores_a_page_of_nobody(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "manifest-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.text.count("addAll(") == answer.text.count('credentials: "omit"') == 1
    for stored in re.findall(r'const OFFLINE_(?:PAGE|STYLES) = "([^"]+)"', answer.text):
        assert (client.get(stored).status_code == 200) or finders.find(stored.removeprefix(settings.STATIC_URL))
    page = client.get("/offline/").text
    assert "You are offline" in page
    assert '<a class="button" href="">Try again</a>' in page


def test_a_command_prints_a_new_key_pair(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("vapid")
    setting, comment = capsys.readouterr().out.splitlines()
    name, _, private_key = setting.partition("=")
    assert name == "VAPID_PRIVATE_KEY"
    assert comment == f"# public key: {public_key_of(private_key)}"
