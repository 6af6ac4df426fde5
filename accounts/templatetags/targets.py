"""Links from acts of moderators to what they were about."""

from __future__ import annotations

from django import template

from accounts.sanctions import targets

register = template.Library()
register.filter("target_link", targets.target_link)
