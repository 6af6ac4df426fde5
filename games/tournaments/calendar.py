"""The start of a tournament as a calendar file (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

MAX_LINE_BYTES = 75


def calendar_text(*, uid: str, title: str, address: str, starts_at: datetime, ends_at: datetime, now: datetime) -> str:
    """Return a file with one event.

    >>> start = datetime(2026, 3, 14, 18, tzinfo=UTC)
    >>> text = calendar_text(uid="a@b", title="A, B", address="/x", starts_at=start, ends_at=start, now=start)
    >>> text.splitlines()[6:8]
    ['DTEND:20260314T180000Z', 'SUMMARY:A\\\\, B']
    """
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Dominoes online//Tournaments//EN",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTART:{_utc(starts_at)}",
        f"DTEND:{_utc(max(ends_at, starts_at))}",
        f"SUMMARY:{_escape(title)}",
        f"URL:{address}",
        f"DTSTAMP:{_utc(now)}",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def end_of(starts_at: datetime, minutes: int, rounds: int, usual_minutes: int) -> datetime:
    """Return about when a tournament ends."""
    return starts_at + timedelta(minutes=minutes or max(rounds, 1) * (usual_minutes + 1))


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())


def _fold(line: str) -> str:
    """Break a line after 75 bytes, between characters."""
    folded, length = "", 0
    for character in line:
        size = len(character.encode())
        if length + size > MAX_LINE_BYTES:
            folded, length = f"{folded}\r\n ", 1
        folded, length = folded + character, length + size
    return folded
