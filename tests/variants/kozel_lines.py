"""Lines of play from the worked examples of the rule file."""

from __future__ import annotations

K06_BEFORE = "2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3 3-5"  # the line of K-06 before 5-2 closes it
K07_BEFORE = "2-4 4-1 1-2 2-6 6-0 0-2 2-3 3-5"  # without 2-2
