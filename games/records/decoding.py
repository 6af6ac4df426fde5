"""Decodes an uploaded file, which may be compressed, to text."""

from __future__ import annotations

import codecs
import zlib

from django.utils.translation import gettext as _

from games.records.unreadable import Unreadable, too_large

MAX_BYTES = 1_000_000  # of a record
GZIP = b"\x1f\x8b"
ARCHIVES = (b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def text_of(content: bytes) -> str:
    """Return the text of a file. Raises Unreadable."""
    if content.startswith(GZIP):
        content = _unpacked(content)
    if content.startswith(ARCHIVES):
        raise Unreadable(_("This file is compressed. Unpack it and choose the record in it."))
    mark, encoding = next((row for row in MARKS if content.startswith(row[0])), (b"", "utf-8"))
    try:
        return content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        if b"\0" in content:
            raise Unreadable(_("This is not a text file, so it cannot be a record of a match.")) from error
        raise Unreadable(_("This text is not in UTF-8. Save it as UTF-8 and try again.")) from error


def _unpacked(content: bytes) -> bytes:
    """Return the content of a gzip file, of at most ``MAX_BYTES``. Raises Unreadable."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(content, MAX_BYTES + 1)
    except zlib.error as error:
        raise Unreadable(_("This compressed file is damaged.")) from error
    if len(unpacked) > MAX_BYTES:
        raise too_large(MAX_BYTES)
    return unpacked
