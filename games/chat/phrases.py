"""What people say in the chat by one press, stored by its key and shown to each reader in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from games.words import Text

CHAT_PHRASES: dict[str, Text] = {
    "hello": _("Hello!"),
    "luck": _("Good luck!"),
    "played": _("Well played!"),
    "game": _("Good game!"),
    "thanks": _("Thanks!"),
    "welcome": _("You are welcome."),
    "oops": _("Oops!"),
    "sorry": _("Sorry!"),
    "wow": _("Wow!"),
    "lucky": _("That was lucky."),
    "think": _("Let me think."),
    "moment": _("One moment, please."),
    "back": _("I am back."),
    "again": _("Another match?"),
    "leave": _("I have to go."),
    "bye": _("Goodbye!"),
}
"""What the chat form offers. Keys stay for ever: they are in the database."""

INVITATION = "review"
"""The key of what the button of a result says to the others of the table."""

PHRASES: dict[str, Text] = CHAT_PHRASES | {
    INVITATION: _("Shall we go through the match together? I am in the review.")
}
