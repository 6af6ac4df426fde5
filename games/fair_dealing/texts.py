"""What the table says of the proof of its deals: what the site and the players sealed, and what was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from games.words import Text

FAIR_DEALING: dict[str, Text] = {
    "commitment": _("The site’s secret, sealed (SHA-256)"),
    "parts": _("The players’ texts for the shuffle"),
    "part_missing": _("%(name)s: nothing yet"),
    "part_sealed": _("%(name)s: sealed, fingerprint %(sealed)s"),
    "part_opened": _("%(name)s: %(text)s, as sealed before the start"),
    "part_unsealed": _("%(name)s: %(text)s"),
    "part_unopened": _("%(name)s: sealed, but not opened in time and so left out"),
    "part_none": _("%(name)s: none"),
    "part_of_bot": _("%(name)s: a bot adds nothing"),
    "round_commitment": _("This round’s key, sealed (SHA-256)"),
    "round_key": _("This round’s key, revealed when the round is over"),
    "secret": _("The secret of this match, revealed when the match is over"),
    "proof": _("The secret and the keys of all deals, for anybody to check"),
}
