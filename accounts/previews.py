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
    preview = _previews.get(kind)
    return "; ".join(preview(user)) if preview else ""
