"""Idempotent forms: a form that is sent twice, for example by a double press, is processed once.

Django masks the CSRF token differently in every page it renders, so the token, the address and the fields together
identify one form of one rendered page. The first request with them is processed. Others wait for its answer and get a
copy of it, cookies included. Forms and views need nothing for this.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Self

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.cookie import SimpleCookie
from django.utils.deprecation import MiddlewareMixin

from infrastructure.outages import is_outage

REPLAY_SECONDS = 30.0  # how long an answer is replayed; on a slow connection the second press arrives late
PROCESSING_SECONDS = 20.0  # then a request without an answer counts as lost, and the next one is processed
POLL_SECONDS = 0.05
SUBMISSION_KEY = "dominoes.submission"  # key of ``request.META``


class BrowserCookies(NamedTuple):
    """The cookies that identify a browser."""

    session: str
    csrf: str


class StoredRedirect(NamedTuple):
    """A redirect, in a form that a cache can store."""

    status: int
    headers: dict[str, str]
    cookies: SimpleCookie

    def to_response(self) -> HttpResponse:
        response = HttpResponse(status=self.status, headers=self.headers)
        response.cookies = self.cookies
        return response


class SubmissionEntry(NamedTuple):
    """A submission in the cache, without an answer while it is being processed.

    ``browsers`` are the cookies sent with the submission and those set by its answer. Only they get the answer, which
    may contain a session.
    """

    browsers: tuple[BrowserCookies, ...]
    answer: StoredRedirect | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A form that a browser sent."""

    key: str
    browser: BrowserCookies

    @classmethod
    def from_request(cls, request: HttpRequest) -> Self | None:
        """Return the submission of a request, None if no form of a page sent it.

        Scripts are left out: they stay on their page, and may send the same fields twice on purpose.
        """
        if request.method != "POST" or is_script_request(request):
            return None
        try:
            token = request.POST.get("csrfmiddlewaretoken")
        except UnreadablePostError:  # the browser closed the connection
            return None
        return cls(_submission_key(request), _browser_cookies(request)) if token else None

    def claim(self) -> SubmissionEntry | None:
        """Return None if this request must be processed, otherwise the entry of an earlier one.

        Waits until the earlier one is answered, unless it is from another browser.
        """
        while not _cache().add(self.key, SubmissionEntry((self.browser,)), PROCESSING_SECONDS):
            entry: SubmissionEntry | None = _cache().get(self.key)
            if entry and (entry.answer or self.browser not in entry.browsers):
                return entry
            time.sleep(POLL_SECONDS)
        return None

    def finish(self, response: HttpResponse) -> None:
        """Store a redirect for repeated requests. After any other answer the form can be sent again."""
        if not response.has_header("Location"):
            _cache().delete(self.key)
            return
        answer = StoredRedirect(response.status_code, dict(response.headers), response.cookies)
        browsers = (self.browser, self._browser_after(response))
        _cache().set(self.key, SubmissionEntry(browsers, answer), REPLAY_SECONDS)

    def _browser_after(self, response: HttpResponse) -> BrowserCookies:
        """Return the cookies that the browser has once it has received the response."""
        cookie_names = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
        pairs = zip(cookie_names, self.browser, strict=True)
        return BrowserCookies(
            *(response.cookies[name].value if name in response.cookies else value for name, value in pairs)
        )


class IdempotentForms(MiddlewareMixin):
    """Processes the first submission of a form and answers repeated ones from the cache.

    It must come before the session middleware, because the answers set session cookies.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        submission = Submission.from_request(request)
        if submission is None:
            return None
        try:
            entry = submission.claim()
        except Exception as error:
            if not is_outage(error):
                raise
            return None  # without the cache each request is processed
        if entry is None:
            request.META[SUBMISSION_KEY] = submission
        elif entry.answer and submission.browser in entry.browsers:
            return entry.answer.to_response()
        return None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if submission := request.META.get(SUBMISSION_KEY):
            try:
                submission.finish(response)
            except Exception as error:
                if not is_outage(error):
                    raise
        return response


def is_script_request(request: HttpRequest) -> bool:
    """Return whether a script sent the request and stays on its page."""
    return request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate" or "HX-Request" in request.headers


def _cache() -> BaseCache:
    return caches["forms"]


def _browser_cookies(request: HttpRequest) -> BrowserCookies:
    cookie_names = settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME
    return BrowserCookies(*(request.COOKIES.get(name, "") for name in cookie_names))


def _submission_key(request: HttpRequest) -> str:
    """Return a key for address, fields and files. Raw bodies differ, as browsers choose a new boundary each time."""
    digest = sha256(repr((request.get_full_path(), sorted(request.POST.lists()))).encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            digest.update(repr((name, file.name, file.size)).encode())
            digest.update(file.read())
            file.seek(0)
    return f"form-{digest.hexdigest()}"
