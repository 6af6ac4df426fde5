"""Ready-made tables, opened by one button. They follow from a variant's rules, so a new variant has them at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from games.engine.rules import Rules
from games.models import Match
from games.terms import Terms

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class Preset:
    """A ready-made table: its key (unique in a variant), its name and one sentence, and its terms."""

    key: str
    name: _StrPromise
    text: _StrPromise
    terms: Terms


def presets_of(rules: Rules) -> tuple[Preset, ...]:
    """Return the variant's ready-made tables, the usual one first."""
    most = max(rules.seat_counts)
    fewest = min(rules.seat_counts)
    return (
        Preset("usual", _("Full table"), _("Every seat, the normal clock."), Terms(rules.key, most)),
        Preset(
            "duel",
            _("Duel"),
            _("As few seats as the game allows, the fast clock."),
            Terms(rules.key, fewest, clock=Match.Clock.FAST),
        ),
        Preset(
            "relaxed",
            _("Relaxed"),
            _("Every seat, and time to think."),
            Terms(rules.key, most, clock=Match.Clock.RELAXED),
        ),
        Preset(
            "friends",
            _("Among friends"),
            _("Listed nowhere: you send the link."),
            Terms(rules.key, most, clock=Match.Clock.RELAXED, visibility=Match.Visibility.LINK),
        ),
        Preset(
            "rated",
            _("Rated"),
            _("Every seat, the normal clock, for rating points."),
            Terms(rules.key, most, rated=True),
        ),
    )


def preset_of(rules: Rules, key: str) -> Preset | None:
    """Return the ready-made table of this key, None where the variant has none."""
    return next((preset for preset in presets_of(rules) if preset.key == key), None)
