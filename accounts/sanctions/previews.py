"""What a sanction would do to a person at this moment, for the moderator who is about to impose it.

Each application registers its part in ``AppConfig.ready``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from accounts.models import User

Preview = Callable[[User], Sequence[str]]
_previews: dict[str, Preview] = {}


def register(kinds: Iterable[str], preview: Preview) -> None:
    """Add what ``preview`` says of kinds of sanctions: parts of a sentence in the active language."""
    _previews.update(dict.fromkeys(kinds, preview))


def of(kind: str, user: User) -> str:
    """Return what a sanction would do now beside what its name says, "" if nothing."""
    return of_each([kind], user)[kind]


def of_each(kinds: Iterable[str], user: User) -> dict[str, str]:
    """Return that of several sanctions, by kind; what two of them do is worked out once."""
    found = {kind: _previews.get(kind) for kind in kinds}
    said = {preview: "; ".join(preview(user)) for preview in set(found.values()) if preview}
    return {kind: said[preview] if preview else "" for kind, preview in found.items()}
