"""Where a page can be found in other languages, for search engines and link previews."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils.translation import get_language

from infrastructure.languages import localized_path

register = template.Library()
# The languages with their territories, as Open Graph names them.
LOCALES = {"en": "en_GB", "hu": "hu_HU", "cs": "cs_CZ", "sk": "sk_SK", "it": "it_IT", "pl": "pl_PL"}


@register.inclusion_tag("language_links.html", takes_context=True)
def language_links(context: Context) -> dict[str, Any]:
    """Return the absolute addresses of the page by language, none for a page with one address in all languages."""
    request = context.get("request")
    if request is None or request.resolver_match is None:
        return {}
    language = get_language() or settings.LANGUAGE_CODE
    paths = {code: localized_path(code, request.resolver_match) for code, _name in settings.LANGUAGES}
    if len(set(paths.values())) == 1:
        return {"locale": LOCALES[language]}
    return {
        "locale": LOCALES[language],
        "other_locales": [LOCALES[code] for code in paths if code != language],
        "here": request.build_absolute_uri(paths[language]),
        "addresses": {code: request.build_absolute_uri(path) for code, path in paths.items()},
    }
