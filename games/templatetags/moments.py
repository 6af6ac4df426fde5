"""Template tags for past times."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.safestring import SafeString

from games.rendering import moments
from infrastructure.moments import moment_element, time_element

register = template.Library()


@register.simple_tag
def ago(moment: datetime) -> SafeString:
    """Show how long ago a moment was, with its date on hover."""
    return SafeString(moments.ago_element(moment))


register.filter("moment", moment_element)
register.filter("time_of_day", time_element)
