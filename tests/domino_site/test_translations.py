"""Every text is translated into all languages, and no translation can break a page."""

from __future__ import annotations

import ast
import shutil
from datetime import datetime
from io import BytesIO
from pathlib import Path

import django
import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command
from django.utils import formats, translation
from pytest_django import Settings

from scripts.check_translations import LOCALE, faults_of, forms_of, problems_of_form, problems_of_message

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
GETTEXT_NAMES = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy", "npgettext"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_is_complete_and_sound(language: str) -> None:
    assert [str(fault) for fault in faults_of(language)] == []


def test_catalogues_have_exactly_the_texts_of_the_site(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``make messages`` changes nothing."""
    for folder in LOCALE.parent.iterdir():
        if folder.is_dir() and folder.name not in {"locale", "node_modules", ".venv"}:
            (tmp_path / folder.name).symlink_to(folder)
    shutil.copytree(LOCALE, tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    monkeypatch.chdir(tmp_path)
    call_command("makemessages", symlinks=True, verbosity=0)
    for language in LANGUAGES:
        path = Path(language) / "LC_MESSAGES" / "django.po"
        assert (tmp_path / "locale" / path).read_text() == (LOCALE / path).read_text()


@pytest.mark.parametrize(
    ("language", "english", "translation"),
    [
        ("hu", ["Play"], ""),
        ("hu", ["%(name)s plays"], "%(nev)s játszik"),
        ("hu", ["%(name)s plays"], "játszik"),
        ("hu", ["{minutes} minutes"], "{perc} perc"),
        ("hu", ["100 %%"], "100 %"),
        ("it", ["<b>%(n)d</b> points"], "%(n)d punti"),
        ("it", ["Say hello"], 'Di "ciao"'),
        ("it", ["black and white"], "bianco & nero"),
        ("it", ["the other"], "l'altro"),
        ("pl", ["Name:"], "Imię"),
        ("pl", ["Waiting…"], "Czekamy..."),
        ("pl", [" or "], "lub"),
        ("cs", ["Your turn"], "Jsi  na tahu"),
        ("hu", ["after %(tile)s"], "%(tile)s-es után"),
        ("hu", ["the tile %(tile)s"], "a %(tile)s kő"),
    ],
)
def test_planted_fault_is_reported(language: str, english: list[str], translation: str) -> None:
    assert list(problems_of_form(language, english, translation, is_first=True))


def test_only_the_first_plural_form_may_leave_out_the_number() -> None:
    english = ["one tile", "%(count)d tiles"]
    assert not list(problems_of_form("sk", english, "jeden kameň", is_first=True))
    assert list(problems_of_form("sk", english, "kamene", is_first=False))


@pytest.mark.parametrize(("forms", "count"), [(["kő"], 2), (["kámen", "kameny", "kamenu"], 4)])
def test_missing_plural_form_is_reported(forms: list[str], count: int) -> None:
    message = Message(("%(n)d tile", "%(n)d tiles"), tuple(forms))
    assert list(problems_of_message(message, forms, count))


def test_doubtful_translation_is_reported() -> None:
    assert list(problems_of_message(Message("Play", "Játék", flags=["fuzzy"]), ["Játék"], 2))


@pytest.mark.parametrize(
    ("language", "date", "moment"),
    [
        ("en", "6 November 2026", "6 November 2026, 15:04"),
        ("hu", "2026. november 6.", "2026. november 6. 15:04"),
        ("cs", "6. listopadu 2026", "6. listopadu 2026 15:04"),
        ("sk", "6. novembra 2026", "6. novembra 2026 15:04"),
        ("it", "6 novembre 2026", "6 novembre 2026, 15:04"),
        ("pl", "6 listopada 2026", "6 listopada 2026 15:04"),
    ],
)
def test_dates(language: str, date: str, moment: str) -> None:
    with translation.override(language):
        assert formats.date_format(datetime(2026, 11, 6, 15, 4), "DATE_FORMAT") == date
        assert formats.date_format(datetime(2026, 11, 6, 15, 4), "DATETIME_FORMAT") == moment


def test_texts_are_where_makemessages_finds_them() -> None:
    """Xgettext does not look into f-strings."""
    hidden = [
        f"{path}:{call.lineno}"
        for folder in ("accounts", "domino_site", "games", "infrastructure")
        for path in (LOCALE.parent / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in GETTEXT_NAMES
    ]
    assert hidden == []


def test_translated_texts_of_django_are_in_django() -> None:
    """A text that a version of Django has changed would be in English, or in Django's words."""
    catalogues = [Path(django.__path__[0], folder) for folder in ("conf", "contrib/auth")]
    texts = {
        text
        for folder in catalogues
        for message in read_po(BytesIO((folder / "locale/en/LC_MESSAGES/django.po").read_bytes()))
        for text in forms_of(message.id)
    }
    source = ast.parse((LOCALE.parent / "infrastructure" / "django_texts.py").read_text())
    calls = [call for call in ast.walk(source) if isinstance(call, ast.Call)]
    marked = {ast.literal_eval(call.args["pgettext" in ast.unparse(call.func)]) for call in calls}
    assert marked - texts == set()
