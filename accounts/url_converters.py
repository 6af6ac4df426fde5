"""A URL converter for primary keys."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import IntConverter


class KeyConverter(IntConverter):
    """A primary key small enough for any database."""

    regex = "[0-9]{1,18}"


register_converter(KeyConverter, "key")
