"""Template tags for people."""

from __future__ import annotations

from django import template

from accounts.faces import face_of
from infrastructure import bidi

register = template.Library()
register.filter("face", face_of)


@register.filter
def isolate(name: object) -> str:
    """Isolate a name, so that it does not change the direction of the text around it."""
    return bidi.isolate(str(name))
