"""The drawn face next to a name."""

from __future__ import annotations

from accounts.faces import face_of
from games.html import Html, escape


def face_html(name: str, colour: str) -> Html:
    """Return the face of a name, as decoration next to the name."""
    return Html(f'<span class="face face-{escape(face_of(name))} chip-{escape(colour)}"></span>')
