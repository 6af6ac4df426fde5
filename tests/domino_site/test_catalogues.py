"""A language is offered when nothing is left to translate into it; until then its readers get English pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from domino_site.catalogues import complete_languages
from games.languages import socket_language
from tests.domino_site.test_settings import ROOT, manage

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
DONE = 'msgid "Play"\nmsgstr "Játék"\n\nmsgid ""\n"A long "\n"text"\nmsgstr ""\n"Egy hosszú "\n"szöveg"\n\n'
FEW = 'msgid "%(n)d tile"\nmsgid_plural "%(n)d tiles"\nmsgstr[0] "%(n)d kő"\nmsgstr[1] "{}"\n'
LANGUAGES = [("en", "English"), ("hu", "Magyar")]


@pytest.mark.parametrize(
    ("texts", "is_offered"),
    [
        (DONE + FEW.format("%(n)d kő"), True),
        (DONE + FEW.format(""), False),
        (DONE + 'msgid "Pass"\nmsgstr ""\n', False),
        ('msgid "Pass"\nmsgstr ""\n\n' + DONE, False),
        (DONE + 'msgid "Pass"\nmsgstr ""', False),
        (DONE + '#, python-format, fuzzy\nmsgid "%(n)d"\nmsgstr "%(n)d"\n', False),
    ],
    ids=["complete", "a plural is missing", "the last is missing", "the first is missing", "cut off", "doubtful"],
)
def test_a_language_is_offered_when_its_catalogue_is_complete(tmp_path: Path, texts: str, is_offered: bool) -> None:
    catalogue = tmp_path / "hu" / "LC_MESSAGES"
    catalogue.mkdir(parents=True)
    (catalogue / "django.po").write_text(HEAD + texts)
    assert complete_languages(LANGUAGES, tmp_path) == LANGUAGES[:1]  # it is not compiled
    (catalogue / "django.mo").touch()
    assert (complete_languages(LANGUAGES, tmp_path) == LANGUAGES) is is_offered


def test_english_needs_no_catalogue(tmp_path: Path) -> None:
    assert complete_languages(LANGUAGES, tmp_path) == LANGUAGES[:1]


def test_site_offers_complete_languages() -> None:
    print_them = "from django.conf import settings; print(*dict(settings.LANGUAGES))"
    offered = manage("shell", "--no-imports", "-c", print_them, INCOMPLETE_LANGUAGES="0").stdout.split()
    assert offered == [code for code, _name in complete_languages(settings.LANGUAGES, ROOT / "locale")]


class TestALanguageThatIsNotOffered:
    @pytest.fixture(autouse=True)
    def only_english(self, settings: Settings) -> None:
        settings.LANGUAGES = LANGUAGES[:1]

    def test_browsers_in_it_get_english_pages(self, client: Client) -> None:
        page = client.get("/", headers={"accept-language": "hu"})
        assert '<html lang="en"' in page.content.decode()
        assert page.headers["Content-Language"] == "en"

    def test_the_footer_has_no_switch_with_one_choice(self, client: Client, settings: Settings) -> None:
        assert 'id="language"' not in client.get("/").content.decode()
        settings.LANGUAGES = LANGUAGES
        assert 'id="language"' in client.get("/").content.decode()

    def test_people_who_chose_it_earlier_get_english_pages_and_frames(self, client: Client) -> None:
        ann = User.objects.create(username="ann", language="hu")
        client.force_login(ann)
        assert '<html lang="en"' in client.get("/").content.decode()
        assert socket_language({"user": ann, "headers": [(b"accept-language", b"hu")]}) == "en"
