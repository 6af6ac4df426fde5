"""Common reasons for decisions of moderators."""

from __future__ import annotations

from django import template

from accounts.sanctions.reasons import reason_choices

register = template.Library()


@register.inclusion_tag("admin/reasons.html")
def reasons() -> dict[str, list[tuple[str, str]]]:
    """Render the suggestions for fields with the list ``reasons``."""
    return {"reasons": reason_choices()}
