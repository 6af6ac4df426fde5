"""The choice of felt and tiles, for pages that show them."""

from __future__ import annotations

from django import template

from accounts.forms import LooksForm
from accounts.models import User

register = template.Library()


@register.filter
def looks_form(user: User) -> LooksForm:
    """Return the form with what this person has chosen."""
    return LooksForm(instance=user)
