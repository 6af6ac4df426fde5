"""The page of open data lists the files, explains them, and serves them; the API lists them, too."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import time_machine
from django.test import Client, override_settings
from django.urls import reverse

from games.open_data import export, months
from games.open_data.content import CHOICE_COLUMNS
from games.open_data.selection import first_of_month
from games.open_data.texts import CHOICE_FIELDS, RECORD_FIELDS
from tests.games.open_data.month import EXPORTED_AT, PLAYED_AT, lines_of, planted_person, play_match

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1), pytest.mark.filterwarnings("ignore:StreamingHttpResponse")]
NAME = "kozel-2026-10.jsonl.gz"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """October, exported."""
    with override_settings(OPEN_DATA_DIR=tmp_path):
        with time_machine.travel(PLAYED_AT, tick=False):
            play_match([planted_person("Ann"), planted_person("Ben")])
        with time_machine.travel(EXPORTED_AT, tick=False):
            month = first_of_month(PLAYED_AT.date())
            leased_until = months.lease_month(month, EXPORTED_AT)
            assert leased_until is not None
            export.export_month(month, leased_until)
        yield tmp_path / "2026-10"


def test_page_lists_files_that_have_the_listed_sums(client: Client, folder: Path) -> None:
    page = client.get(reverse("open-data")).text
    rows = re.findall(r'<a href="(/open-data/2026-10/([^"]+))">.*?<code>(\w{64})</code>', page, re.DOTALL)
    assert {name for _address, name, _sum in rows} == {path.name for path in folder.iterdir()}
    for address, name, digest in rows:
        response = client.get(address)
        content = b"".join(response)
        assert (hashlib.sha256(content).hexdigest(), content) == (digest, (folder / name).read_bytes())
        assert int(response["Content-Length"]) == len(content)
        assert client.get(address, headers={"If-None-Match": response["ETag"]}).status_code == 304


def test_file_is_not_compressed_again(client: Client, folder: Path) -> None:
    response = client.get(f"/open-data/2026-10/{NAME}", headers={"Accept-Encoding": "gzip"})
    assert b"".join(response) == (folder / NAME).read_bytes()
    assert (response["Content-Encoding"], response["Content-Type"]) == ("identity", "application/gzip")


def test_only_listed_files_are_served(client: Client, folder: Path) -> None:
    (folder / "secret.gz").write_bytes(b"secret")
    (folder.parent / "dominoes.sqlite3").write_bytes(b"secret")
    for address in ("2026-10/secret.gz", "2026-10/..%2Fdominoes.sqlite3", "2026-09/" + NAME, "202610/" + NAME):
        assert client.get(f"/open-data/{address}").status_code == 404
    (folder / NAME).unlink()
    assert "is not on this server" in client.get(f"/open-data/2026-10/{NAME}").text


def test_page_without_files_says_so(client: Client) -> None:
    assert "There are no files yet." in client.get(reverse("open-data")).text
    assert reverse("open-data") in client.get("/").text
    assert "## Choices" in client.get(reverse("open-data-description")).text


def test_examples_of_the_page_read_the_files(client: Client, folder: Path) -> None:
    page = client.get(reverse("open-data")).text
    command, program = (unescape(text) for text in re.findall(r"<pre[^>]*><code>(.*?)</code>", page, re.DOTALL))
    check = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=True)
    assert check.stdout.count(": OK\n") == 3
    example = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert example.stdout.startswith("2026-10-15 [")
    assert " 0.02\n" in example.stdout


def test_page_and_document_describe_all_fields(client: Client, folder: Path) -> None:
    (line,) = lines_of(folder)
    fields = {name for names, _text in RECORD_FIELDS for name in names.split(", ")}
    assert fields - {"set", "board"} == line.keys() - {"format", "rules_version", "tiles"}
    assert tuple(name for names, _text in CHOICE_FIELDS for name in names.split(", ")) == CHOICE_COLUMNS
    document = client.get(reverse("open-data-description")).text
    assert [name for name in (*fields, *CHOICE_COLUMNS) if f"`{name}`" not in document and name != "events"] == []


def test_api_lists_the_files(client: Client, folder: Path) -> None:
    response = client.get("/api/open-data")
    (month,) = response.json()["months"]
    assert (response.json()["license"], month["month"]) == ("CC0-1.0", "2026-10")
    files = {file["name"]: file for file in month["files"]}
    assert files.keys() == {path.name for path in folder.iterdir()}
    assert files[NAME]["size"] == (folder / NAME).stat().st_size
    assert client.get(files[NAME]["address"]).status_code == 200
    assert client.get("/api/open-data", headers={"If-None-Match": response["ETag"]}).status_code == 304
