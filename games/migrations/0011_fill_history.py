"""What the history asks of matches that were over before it was written at their end.

Here and not beside the columns: a batch at a time, outside the transaction that alters tables, so that a site with a
million matches goes on meanwhile, and a migration that is broken off goes on where it was.
"""

from __future__ import annotations

import json
from itertools import groupby
from operator import attrgetter

from django.db import migrations, models

from accounts.names import search_key
from infrastructure.batches import in_batches, store

WRITTEN = ("outcome", "finished_at", "variant", "listed", "name_key")


def fill_seats(apps, schema_editor):
    """Write for the matches that are over what ``games.services.results.settle`` writes since."""
    matches, seats, events = (
        apps.get_model("games", name).objects.using(schema_editor.connection.alias)
        for name in ("Match", "Seat", "MatchEvent")
    )

    def write(batch):
        ends = events.filter(match__in=batch, kind="match_ended").values_list("match_id", "data")
        ended = {match_id: json.loads(data) for match_id, data in ends}
        found = list(seats.filter(match__in=batch).order_by("match_id", "index"))
        of_match = {match.pk: match for match in batch}
        for match_id, group in groupby(found, key=attrgetter("match_id")):
            settle(of_match[match_id], ended[match_id], group)
        store(found, WRITTEN)

    left = models.Exists(seats.filter(match=models.OuterRef("pk"), finished_at=None))
    over = models.Exists(events.filter(match=models.OuterRef("pk"), kind="match_ended"))
    in_batches(matches.filter(left, over, finished_at__isnull=False), write)


def settle(match, ended, seats):
    public = match.visibility == "public" and match.status != "void"
    for seat in seats:
        seat.outcome, seat.finished_at = outcome(match, ended, seat), match.finished_at
        seat.variant, seat.listed = match.variant, public
        seat.name_key = search_key(seat.name) if seat.user_id else ""


def outcome(match, ended, seat):
    if match.status == "void":
        return ""
    if ended["reason"] == "stopped":
        return "stopped"
    if seat.index == ended["seat"] or (seat.user_id and seat.bot):
        return "left"
    lost = seat.index in ended["losers"] if ended["losers"] else ended["places"][seat.index] > 1
    return "lost" if lost else "won"


def fill_standings(apps, schema_editor):
    """Write the last scores that the record tells beside each match that is over."""
    alias = schema_editor.connection.alias
    matches = apps.get_model("games", "Match").objects.using(alias)
    events = apps.get_model("games", "MatchEvent").objects.using(alias)

    def write(batch):
        for match in batch:
            match.standing = json.dumps({"standing": json.loads(match.told)["standing"]}, separators=(",", ":"))
        store(batch, ["standing"])

    tells = events.filter(match=models.OuterRef("pk"), kind__in=("round_dealt", "round_ended")).order_by("-seq")
    told = matches.filter(finished_at__isnull=False, standing="").annotate(told=models.Subquery(tells.values("data")[:1]))
    in_batches(told.exclude(told=None).only("pk"), write)


class Migration(migrations.Migration):

    atomic = False
    dependencies = [("games", "0010_nonce_commitment")]
    operations = [
        migrations.RunPython(fill_seats, migrations.RunPython.noop),
        migrations.RunPython(fill_standings, migrations.RunPython.noop),
    ]
