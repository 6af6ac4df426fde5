"""Runs a block of commands in a terminal and answers its questions."""

from __future__ import annotations

import os
import pty
import sys

ANSWERS = {b"assword": b"seven-spotted-goats", b"mail": b"root@dominoes.test", b"ame": b"root"}


def main(block: str) -> int:
    pid, terminal = pty.fork()
    if pid == 0:
        os.execlp("bash", "bash", block)  # noqa: S606 (a block of commands)
    question = b""
    while True:
        try:
            part = os.read(terminal, 1024)
        except OSError:  # the end of the output
            break
        sys.stdout.write(part.decode())
        question = (question + part).rpartition(b"\n")[2]
        if question.endswith(b": "):
            os.write(terminal, next(answer for word, answer in ANSWERS.items() if word in question) + b"\n")
            question = b""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
