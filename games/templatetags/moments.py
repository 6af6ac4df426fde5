"""Template tags for moments that have passed."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.safestring import SafeString

from games.rendering import moments

register = template.Library()


@register.simple_tag
def ago(moment: datetime) -> SafeString:
    """Show how long ago a moment was, with its date on demand."""
    return SafeString(moments.ago(moment))
