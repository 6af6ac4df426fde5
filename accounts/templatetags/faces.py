"""Template tags for people."""

from __future__ import annotations

from django import template

from accounts.faces import face_of

register = template.Library()
register.filter("face", face_of)
