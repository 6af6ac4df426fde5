"""Template tags for people."""

from __future__ import annotations

from django import template

from accounts.faces import face_of
from infrastructure import bidi

register = template.Library()
register.filter("face", face_of)


@register.filter
def isolate(name: object) -> str:
    """Return a name for a sentence, in which it does not change the order of the other words."""
    return bidi.isolate(str(name))
