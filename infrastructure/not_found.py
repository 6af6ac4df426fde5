"""A page that does not exist, with the reason."""

from __future__ import annotations

from django.http import Http404


class ExplainedNotFound(Http404):
    """Nothing is at this address. The message, in the language of the reader, says why."""
