"""The reasons that moderators give again and again, for forms that ask for one."""

from __future__ import annotations

from django import template

from accounts.sanctions.reasons import reason_choices

register = template.Library()


@register.inclusion_tag("admin/reasons.html")
def reasons() -> dict[str, list[tuple[str, str]]]:
    """Write what a field with the list ``reasons`` proposes."""
    return {"reasons": reason_choices()}
