"""The invitation to an open table: its address as text and as a QR code."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

import segno

from games.enums import Due, Status
from games.html import mark_trusted
from games.match.table import Table
from games.rendering.page import as_safe_string


def invitation_context(table: Table, seat: int | None, address: str) -> dict[str, Any]:
    """Return the invitation for a seated player, nothing for others and for a table that bots fill in a moment."""
    if seat is None or table.status != Status.OPEN or table.timer.due_kind == Due.FILL:
        return {}
    return {"invitation": address, "qr_code": as_safe_string(qr_code(address))}


@lru_cache(maxsize=256)
def qr_code(address: str) -> str:
    svg = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(svg, kind="svg", xmldecl=False, svgns=False, omitsize=True, border=2, svgclass=None, lineclass=None)
    return mark_trusted(svg.getvalue().decode())
