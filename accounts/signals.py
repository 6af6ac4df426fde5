"""Signals to other parts of the site, sent inside the transaction of their cause."""

from __future__ import annotations

from django.dispatch import Signal

sanction_imposed = Signal()  # sanction
sanction_lifted = Signal()  # sanction; not sent when one expires
account_created = Signal()  # user_id, of a guest who became an account
blocks_changed = Signal()  # user_ids of both people
follows_changed = Signal()  # user_ids of the followers

# Open sockets of a person must close. user_id, code (``logged_out``, ``password``, ``second_factor``, ``inactive``,
# ``deleted``, ``suspended``) and session: the one session that ended, or "" for all.
access_ended = Signal()
