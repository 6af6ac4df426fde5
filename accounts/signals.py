"""What other parts of the site may listen to. Each is sent inside the transaction of its cause."""

from __future__ import annotations

from django.dispatch import Signal

sanction_imposed = Signal()
"""A sanction came into force. Argument: ``sanction``."""
