"""Names, comments, docs and interface texts are plain English."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import wording

ROOT = Path(__file__).parent.parent
# Rules, lessons and legal pages may have long sentences.
LONG_TEXTS = ("templates/rules/", "templates/privacy/", "games/retention/", "games/lessons/")
SITE = ("templates", "accounts", "domino_site", "games", "infrastructure")
# Files with words that only look stiff, and why.
EXCEPTIONS = {
    "accounts/forms.py": "the label of a setting: Who may invite me",
    "accounts/models/user.py": "the same label in the admin",
    "games/engine/events.py": "`shown` and `made` are keys in records",
    "games/history/queries.py": "`left` is an outcome in the database",
    "games/match_reports/report.py": "`made` is a key in reports",
    "games/words/all_fives.py": "the title of a rule: Who leads",
    "games/words/gamezz.py": "the title of a rule: Who leads",
    "games/words/kozel.py": "the title of a rule: Who leads",
    "games/words/triominoes.py": "the title of a rule: Who leads",
    "tests/games/test_right_to_left.py": "quotes a heading of the admin: What is known of",
    "tests/test_wording.py": "plants stiff sentences",
    "tests/wording.py": "lists the words",
}


def tracked(*folders: str) -> list[str]:
    files = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in files.stdout.splitlines() if "/migrations/" not in name and name not in EXCEPTIONS]


@pytest.mark.parametrize(
    "folder", ["accounts", "benchmarks", "domino_site", "games", "infrastructure", "scripts", "tests"]
)
def test_python_is_plain_english(folder: str) -> None:
    stiff = {name: wording.in_python((ROOT / name).read_text()) for name in tracked(folder) if name.endswith(".py")}
    assert {name: lines for name, lines in stiff.items() if lines} == {}


def test_documents_templates_and_scripts_are_plain_english() -> None:
    names = [name for name in tracked() if name.endswith((".md", ".html", ".txt", ".js", ".mjs", ".css"))]
    stiff = {name: wording.in_text((ROOT / name).read_text()) for name in names}
    assert {name: lines for name, lines in stiff.items() if lines} == {}


def test_sentences_of_the_interface_are_short() -> None:
    sentences = {
        name: wording.long_sentences((ROOT / name).read_text(), is_template=not name.endswith(".py"))
        for name in tracked(*SITE)
        if name.endswith((".py", ".html", ".txt")) and not name.startswith(LONG_TEXTS)
    }
    assert {name: long for name, long in sentences.items() if long} == {}


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
    assert wording.in_python(planted)


@pytest.mark.parametrize(
    "plain", ["rows = 1", "for row in rows: pass", "# Somebody who comes back", "LIMIT = 3  # rows"]
)
def test_plain_python_passes(plain: str) -> None:
    assert wording.in_python(plain) == []


def test_a_planted_long_sentence_is_found() -> None:
    words = "word " * (wording.MAX_WORDS + 1)
    assert wording.long_sentences(f'_("{words}")', is_template=False)
    assert wording.long_sentences(f"{{% blocktranslate %}}{words}{{% endblocktranslate %}}", is_template=True)
    assert wording.long_sentences(f'_("{words[:40]}. {words[:40]}")', is_template=False) == []
