"""The errors in the log of a site. test_crash kills a site and starts it again."""

from __future__ import annotations

from pathlib import Path

from tests.server import Server


def test_errors_in_the_log_are_found(tmp_path: Path) -> None:
    server, traceback = Server(tmp_path), 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    \n'
    server.log_path.write_text(f"{traceback}OSError: Signal 17 ignored due to race condition\n")
    assert server.errors() == []
    server.log_path.write_text(f"{traceback}OSError: Signal 17 ignored due to race condition\n{traceback}ValueError\n")
    assert len(server.errors()) == 1
    server.log_path.write_text(f"{traceback}ValueError\n{traceback}OSError: Signal 17 ignored due to race condition\n")
    assert len(server.errors()) == 1
