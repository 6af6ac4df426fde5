"""The form for felt and tiles."""

from __future__ import annotations

from django import template

from accounts.forms import LooksForm
from accounts.models import User

register = template.Library()


@register.filter
def looks_form(user: User) -> LooksForm:
    """Return the form with the person's choice."""
    return LooksForm(instance=user)
