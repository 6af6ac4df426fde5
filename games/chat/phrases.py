"""Texts of the chats: preset phrases, which are stored by key, and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from games.words import Text

# Phrases in the chat form, the most useful first. Their keys are stored with the lines and must never change.
FORM_PHRASES: dict[str, Text] = {
    # Translators: preset phrases of the chat; informal, and for speakers of any gender
    "hello": _("Hello!"),
    "luck": _("Good luck!"),
    "played": _("Well played!"),
    "thanks": _("Thanks!"),
    "wow": _("Wow!"),
    "oops": _("Oops!"),
    "game": _("Good game!"),
    "welcome": _("You are welcome."),
    "sorry": _("Sorry!"),
    "lucky": _("That was lucky."),
    "think": _("Let me think."),
    "moment": _("One moment, please."),
    "back": _("I am back."),
    "again": _("Another match?"),
    "leave": _("I have to go."),
    "bye": _("Goodbye!"),
}

# The phrase that the button of a result sends to the table.
REVIEW_INVITATION = "review"

READY_PHRASES: dict[str, Text] = FORM_PHRASES | {
    REVIEW_INVITATION: _("Shall we go through the match together? I am in the review.")
}

CHAT_LABELS: dict[str, Text] = {
    "muted": _("This table is muted: its chat is hidden."),
    "unmute": _("Unmute"),
    # Translators: the title of the spectators' chat
    "title": _("Spectators"),
    # Translators: a note in the chat of the spectators
    "later": _("Players see this after the match."),
    # Translators: a mark behind a name
    "guest": _("guest"),
    "rematch": _("Rematch"),
    "report": _("Report this line"),
}
