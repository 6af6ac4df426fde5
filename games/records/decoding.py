"""Decodes an uploaded file, which may be compressed, to text."""

from __future__ import annotations

import codecs
import zlib

from django.utils.translation import gettext as _

from games.records.import_errors import UnreadableRecord, too_large_error

MAX_RECORD_BYTES = 1_000_000  # of a record
GZIP_MAGIC = b"\x1f\x8b"
ARCHIVE_MAGICS = (b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode_file(content: bytes) -> str:
    """Return the text of a file. Raises UnreadableRecord."""
    if content.startswith(GZIP_MAGIC):
        content = _decompress(content)
    if content.startswith(ARCHIVE_MAGICS):
        raise UnreadableRecord(_("This file is compressed. Unpack it and choose the record in it."))
    mark, encoding = next((row for row in BYTE_ORDER_MARKS if content.startswith(row[0])), (b"", "utf-8"))
    try:
        return content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        if b"\0" in content:
            raise UnreadableRecord(_("This is not a text file, so it cannot be a record of a match.")) from error
        raise UnreadableRecord(_("This text is not in UTF-8. Save it as UTF-8 and try again.")) from error


def _decompress(content: bytes) -> bytes:
    """Return the content of a gzip file, of at most ``MAX_RECORD_BYTES``. Raises UnreadableRecord."""
    decompressor = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        decompressed = decompressor.decompress(content, MAX_RECORD_BYTES + 1)
    except zlib.error as error:
        raise UnreadableRecord(_("This compressed file is damaged.")) from error
    if len(decompressed) > MAX_RECORD_BYTES:
        raise too_large_error(MAX_RECORD_BYTES)
    return decompressed
