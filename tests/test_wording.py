"""Names, comments, docs and interface texts are plain English."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests import wording
from tests.repository import ROOT, text_files

# Rules, lessons and legal pages may have long sentences.
LONG_TEXTS = ("templates/rules/", "templates/privacy/", "games/retention/", "games/lessons/")
SITE = ("templates/", "accounts/", "domino_site/", "games/", "infrastructure/")
# These two list and plant stiff words.
ABOUT_WORDING = ("tests/wording.py", "tests/test_wording.py")
# Words that only look stiff, by file, and why they stay.
EXCEPTIONS = {
    "accounts/forms.py": {"Who may invite me to a table"},  # the label of a setting
    "accounts/models/user.py": {"who may invite me to a table"},  # the same in the admin
    "games/api/schemas.py": {"left"},  # an outcome in responses
    "games/engine/events.py": {"shown", "made"},  # keys in records
    "games/history/queries.py": {"left"},  # an outcome in the database
    "games/match_reports/report.py": {"made"},  # a key in reports
    "games/words/all_fives.py": {"Who leads"},  # the title of a rule, as below
    "games/words/gamezz.py": {"Who leads, and with which tile"},
    "games/words/kozel.py": {"Who leads the first round", "Who leads later rounds"},
    "games/words/triominoes.py": {"Who leads, and with which tile"},
}


def findings(check: Callable[[str], list[str]], *endings: str) -> dict[str, list[str]]:
    """Return what the check finds in the files with these endings, by name."""
    names = [str(path.relative_to(ROOT)) for path in text_files() if path.name.endswith(endings)]
    checked = [name for name in names if "/migrations/" not in name and name not in ABOUT_WORDING]
    results = {name: check((ROOT / name).read_text()) for name in checked}
    return {name: lines for name, lines in results.items() if lines}


def test_python_is_plain_english_but_for_exceptions_that_are_still_needed() -> None:
    lines = findings(wording.python_problems, ".py")
    assert {name: {line.partition(": ")[2] for line in lines[name]} for name in lines} == EXCEPTIONS


def test_documents_templates_and_scripts_are_plain_english() -> None:
    assert findings(wording.text_problems, ".md", ".html", ".txt", ".js", ".mjs", ".css") == {}


def test_sentences_of_the_interface_are_short() -> None:
    long = findings(wording.long_module_sentences, ".py") | findings(wording.long_template_sentences, ".html", ".txt")
    assert {name for name in long if name.startswith(SITE) and not name.startswith(LONG_TEXTS)} == set()


@pytest.mark.parametrize(
    "planted",
    [
        "found = 1",
        "for each in rows: pass",
        "def show(told): pass",
        'LIMIT = 3\n"""So many rows."""',
        "# Whoever comes back",
        'text = "What is a name"',
    ],
)
def test_planted_stiff_python_is_found(planted: str) -> None:
    assert wording.python_problems(planted)


@pytest.mark.parametrize(
    "plain", ["rows = 1", "for row in rows: pass", "# Somebody who comes back", "LIMIT = 3  # rows"]
)
def test_plain_python_passes(plain: str) -> None:
    assert wording.python_problems(plain) == []


def test_a_planted_long_sentence_is_found() -> None:
    words = "word " * (wording.MAX_WORDS + 1)
    assert wording.long_module_sentences(f'_("{words}")')
    assert wording.long_template_sentences(f"{{% blocktranslate %}}{words}{{% endblocktranslate %}}")
    assert wording.long_module_sentences(f'_("{words[:40]}. {words[:40]}")') == []
