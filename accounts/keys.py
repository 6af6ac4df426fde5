"""Numbers of rows in addresses."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import IntConverter


class KeyConverter(IntConverter):
    """The number of a row: one that any database can look for."""

    regex = "[0-9]{1,18}"


register_converter(KeyConverter, "key")
