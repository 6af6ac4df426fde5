"""The deals of a match, dealt again by a reader's browser."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitor import THEMES, Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

CHECK_MS = 500  # ten times the duration of a check of two rounds
RECORDS = Path(__file__).parents[1] / "records"
FINISH = """
from games.services import play
from tests.games import tables

match = tables.running_table([tables.person("Ann")], bots=1, clock="none")
tables.play_round(match)
play.leave_match(match_id=match.pk, user_id=match.seats.get(index=0).user_id)
match.refresh_from_db()
answer = match.slug
"""


@pytest.fixture(scope="module")
def address(site: Server) -> str:
    return f"/match/{site.run_code(FINISH)}/verify/"


def test_verification_succeeds_and_detects_a_changed_tile(
    new_visitor: NewVisitor, address: str, tmp_path: Path
) -> None:
    visitor = new_visitor(width=360, height=740)
    assert visitor.visit(address) == 200
    page = visitor.page
    expect_result(page, "holds")
    assert page.locator("#verify-deals .holds").count() >= 2
    record = page.request.get(visitor.network.url + address.replace("verify", "record")).json()
    deal = next(event for event in record["events"] if event["kind"] == "round_dealt")
    deal["boneyard"][0], deal["boneyard"][1] = deal["boneyard"][1], deal["boneyard"][0]
    upload(page, tmp_path, record)
    expect_result(page, "differs")
    expect(page.locator("#verify-deals")).to_contain_text(f"Tile 15: {deal['boneyard'][0]} instead of")
    assert visitor.accessibility_violations() == []
    assert not visitor.scrolls_sideways()
    text = page.request.get(visitor.network.url + address.replace("verify/", "record.txt")).text()
    assert text.startswith("dominoes match 2\n")
    file = tmp_path / "record.txt"
    file.write_text(text)
    page.locator("#verify-file").set_input_files(file)
    expect(page.locator("#verify-result")).to_contain_text("record.txt: ")
    expect_result(page, "holds")
    file.write_text(text.replace("deal ", "deal 0"))
    with visitor.expecting_errors("400"):
        page.locator("#verify-file").set_input_files(file)
        expect(page.locator("#verify-result")).to_contain_text("This is not a record of a match: ")


def test_uploaded_record_can_be_reviewed_analysed_and_verified(new_visitor: NewVisitor, address: str) -> None:
    visitor = new_visitor()
    page = visitor.page
    text = page.request.get(visitor.network.url + address.replace("verify/", "record.txt")).text()
    visitor.visit("/review/import/")
    page.get_by_label("Or the text of a record").fill(text)
    page.get_by_role("button", name="Review it").click()
    expect(page.locator("#review-perspective")).to_contain_text("As Ann sees it")
    step = page.locator(".review-at")
    while not page.get_by_role("button", name="Ask the bot").count():
        before = step.inner_text()
        page.locator("#review-after").click()
        expect(step).not_to_have_text(before, use_inner_text=True)  # presses add up: another one would go too far
    page.get_by_role("button", name="Ask the bot").click()
    expect(page.get_by_role("columnheader", name="All hands open")).to_be_visible(timeout=30_000)
    assert visitor.page_problems(THEMES) == []
    page.get_by_role("link", name="Check the deals in your browser").click()
    expect_result(page, "holds")


def test_stored_nonce_is_compared_with_the_record(new_visitor: NewVisitor, address: str) -> None:
    visitor = new_visitor()
    visitor.visit(address)
    own_result = visitor.page.locator("#verify-own-part")
    expect(own_result).to_contain_text("This browser remembers no text of yours for this match")
    started = visitor.page.request.get(visitor.network.url + address.replace("verify", "record")).json()["events"][0]
    sealed = [commitment or "-" for commitment in started["nonce_commitments"]]
    drawn = {"slug": started["match"], "commitment": started["commitment"], "nonce": started["nonces"][0]}
    whole = drawn | {"shown": True, "given": sealed, "opened": True}
    other = "0" * 64
    for entries, state, sentence in (
        ([whole], "holds", "The record contains your own text and the fingerprint you were shown."),
        ([whole | {"slug": "another"}], "unknown", "remembers no text of yours"),
        ([whole | {"commitment": other}], "differs", "a different fingerprint of the site’s secret"),
        ([whole | {"commitment": other}, whole], "differs", "a different fingerprint of the site’s secret"),
        ([whole | {"nonce": "other"}], "differs", "but this record does not contain it"),
        ([whole | {"nonce": "other", "shown": False}], "unknown", "did not reach the site"),
        ([whole | {"given": [sealed[0], other]}], "differs", "not the ones this browser was shown"),
    ):
        remembered = json.dumps(entries)
        visitor.page.evaluate("entries => localStorage.setItem('dominoes-nonces', entries)", remembered)
        visitor.page.locator("#verify-again").click()
        expect(own_result).to_contain_text(sentence)
        expect(own_result).to_have_attribute("data-state", state)
    visitor.page.evaluate("() => localStorage.setItem('dominoes-nonces', 'no list')")
    visitor.page.locator("#verify-again").click()
    expect(own_result).to_contain_text("This browser remembers no text of yours for this match")


def test_incomplete_records_prove_less(new_visitor: NewVisitor, address: str, tmp_path: Path) -> None:
    visitor = new_visitor()
    visitor.visit(address)
    record_without_commitments(visitor)
    record_without_its_secret(visitor, tmp_path)
    running_match_lacks_only_its_end(visitor, address, tmp_path)


def record_without_commitments(visitor: Visitor) -> None:
    record = min((RECORDS / "triominoes").glob("*.json"))
    visitor.page.locator("#verify-file").set_input_files(record)
    expect_result(visitor.page, "limited")
    # It is not about the match of the page.
    expect(visitor.page.locator("#verify-result")).to_contain_text(f"{record.name}: All deals follow from")
    expect(visitor.page.locator("#verify-deals")).to_contain_text("no fingerprints of the players’ texts")


def test_invalid_record_is_reported(new_visitor: NewVisitor, address: str, tmp_path: Path) -> None:
    visitor = new_visitor()
    visitor.visit(address)
    file = tmp_path / "record.json"
    for data in ("no json", '{"format": 1, "events": []}'):
        visitor.page.locator("#verify-again").click()
        expect_result(visitor.page, "holds")
        file.write_text(data)
        visitor.page.locator("#verify-file").set_input_files(file)
        expect(visitor.page.locator("#verify-result")).to_contain_text("not a record of a match")


def record_without_its_secret(visitor: Visitor, folder: Path) -> None:
    upload(visitor.page, folder, without_secret())
    expect_result(visitor.page, "unknown")
    expect(visitor.page.locator("#verify-result")).to_contain_text("but not everything was revealed")


def running_match_lacks_only_its_end(visitor: Visitor, address: str, folder: Path) -> None:
    record = visitor.page.request.get(visitor.network.url + address.replace("verify", "record")).json()
    kinds = [event["kind"] for event in record["events"]]
    record["events"] = record["events"][: kinds.index("key_revealed") + 1]
    upload(visitor.page, folder, record)
    expect(visitor.page.locator("#verify-result")).to_contain_text("The match is not over")
    expect_result(visitor.page, "unknown")
    expect(visitor.page.locator("#verify-result")).not_to_contain_text("revealed")


def test_late_result_does_not_replace_a_newer_one(new_visitor: NewVisitor, address: str, tmp_path: Path) -> None:
    visitor, late = new_visitor(), deque[Route]()
    visitor.page.route("**/record/", lambda route: late.append(route))  # noqa: PLW0108 - no built-in methods
    visitor.visit(address)
    upload(visitor.page, tmp_path, without_secret())
    expect_result(visitor.page, "unknown")
    with visitor.page.expect_response("**/record/") as answered:
        late[0].continue_()
    answered.value.finished()
    visitor.page.wait_for_timeout(CHECK_MS)
    expect_result(visitor.page, "unknown")


def without_secret() -> dict[str, Any]:
    """Return the record of a match whose secret was never revealed."""
    record = json.loads(sorted((RECORDS / "kozel").glob("*.json"))[0].read_text())
    assert record["events"].pop()["kind"] == "secret_revealed"
    return record


def upload(page: Page, folder: Path, record: object) -> None:
    file = folder / "record.json"
    file.write_text(json.dumps(record))
    page.locator("#verify-file").set_input_files(file)


def expect_result(page: Page, state: str) -> None:
    expect(page.locator("#verify-result")).to_have_attribute("data-state", state)
