"""Markup is a type: the plugin of mypy finds what is put into it unescaped."""

from __future__ import annotations

from pathlib import Path

from mypy import api

ROOT = Path(__file__).parent.parent
PROGRAM = """
from games.html import Html, escape

def built(name: str, number: int, body: Html, names: list[str]) -> Html:
    right = Html(f"<b class='{'a' if number else 'b'}'>{escape(name)} {number:.2f}{body}</b>")
    right = Html("".join([f"<i>{escape(each)}</i>" for each in names]) + body if number else "")
    right = Html(" ".join([right, *map(escape, names)]))
    wrong = Html(f"<b>{name}</b>")
    wrong = Html("<b>" + name)
    wrong = Html(body if number else name)
    wrong = Html("".join(names))
    wrong = Html("".join([f"<i>{each}</i>" for each in names]))
    wrong = Html(name)
    return name
"""


def test_a_forgotten_escape_is_a_type_error(tmp_path: Path) -> None:
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\nplugins = {ROOT / 'scripts' / 'mypy_html.py'}\n")
    report, _errors, _status = api.run(["--config-file", str(config), "--cache-dir", str(tmp_path), "-c", PROGRAM])
    lines = [line.split(":")[1] for line in report.splitlines() if ": error:" in line]
    wrong = [str(at) for at, line in enumerate(PROGRAM.splitlines(), 1) if "wrong" in line or "return name" in line]
    assert lines == wrong, report
