"""The drawn face beside a name."""

from __future__ import annotations

from accounts.faces import face_of
from games.html import Html, escape


def face(name: str, colour: str) -> Html:
    """Return the face of a name. Decorative: the name stands beside it."""
    return Html(f'<span class="face face-{escape(face_of(name))} chip-{escape(colour)}"></span>')
