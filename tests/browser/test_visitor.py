"""The browser tests' error detection: failures in a window are noticed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from tests.browser.visitor import Visitor

PAGE = "/accounts/login/"
FETCH = "() => fetch('/healthz').then(response => response.status)"


def test_policy_violation_is_recorded(visitor: Visitor) -> None:
    assert visitor.visit(PAGE) == 200
    visitor.page.evaluate("() => document.body.setAttribute('onclick', 'let planted = 1')")
    with visitor.page.expect_event("console"):
        visitor.page.click("body")
    assert any("CSP violation: script-src" in error for error in visitor.errors)
    visitor.errors.clear()


def test_script_error_is_recorded(visitor: Visitor) -> None:
    visitor.visit(PAGE)
    with visitor.page.expect_event("pageerror"):
        visitor.page.evaluate("() => setTimeout(() => { throw new Error('planted') })")
    assert any("planted" in error for error in visitor.errors)
    visitor.errors.clear()


def test_axe_reports_an_image_without_text(visitor: Visitor) -> None:
    visitor.visit(PAGE)
    assert not any("image-alt" in violation for violation in visitor.accessibility_violations())
    visitor.page.evaluate("() => document.body.append(new Image())")
    assert any("image-alt" in violation for violation in visitor.accessibility_violations())


def test_cut_connection_fails_and_works_again_when_restored(visitor: Visitor) -> None:
    visitor.visit(PAGE)
    with visitor.offline(), pytest.raises(Error, match="Failed to fetch"):
        visitor.page.evaluate(FETCH)
    assert visitor.page.evaluate(FETCH) == 200
