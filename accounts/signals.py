"""What other parts of the site may listen to. Each is sent inside the transaction of its cause."""

from __future__ import annotations

from django.dispatch import Signal

sanction_imposed = Signal()
"""A sanction came into force. Argument: ``sanction``."""

sanction_lifted = Signal()
"""A sanction ended before its time. Argument: ``sanction``."""

account_made = Signal()
"""A guest has become an account. Argument: ``user_id``."""

blocks_changed = Signal()
"""Somebody blocked a person, or no longer does. Argument: ``user_ids``, those of both."""

follows_changed = Signal()
"""People follow somebody else than before. Argument: ``user_ids``, those of the followers."""

access_ended = Signal()
"""Open sockets of a person must close. Arguments: ``user_id``; ``code`` says why (``logged_out``, ``password``,
``second_factor``, ``inactive``, ``deleted``, ``suspended``); ``session`` names the one session that ended, empty for
all of them."""
