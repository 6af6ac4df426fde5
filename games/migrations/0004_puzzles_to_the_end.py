"""Replace the puzzles of a site by those that are judged to the end of the round.

Earlier puzzles were judged by bots that look only a few turns ahead, and some of their solutions lose points in the
end. All puzzles that nobody has attempted are deleted, with their days, and the shipped ones are added. Puzzles with
attempts stay, because streaks depend on them: ``manage.py check_puzzles`` names those that are wrong. Their attempts
become their difficulty. A new site has no puzzles yet: it loads the shipped ones when they are first needed.
"""

import json
from pathlib import Path
from typing import Any

from django.db import migrations
from django.db.models import Count, Max, Q

SHIPPED_PUZZLES = Path(__file__).parent.parent / "puzzles" / "first.json"


def replace_puzzles(apps: Any, _schema_editor: Any) -> None:
    model = apps.get_model("games", "Puzzle")
    variants = sorted(set(model.objects.values_list("variant", flat=True)))
    model.objects.exclude(days__attempts__isnull=False).delete()
    first_solutions = Count("days__attempts", Q(days__attempts__tries=1, days__attempts__solved_at__isnull=False))
    for row in model.objects.annotate(solvers=Count("days__attempts"), first_solutions=first_solutions):
        model.objects.filter(pk=row.pk).update(tried=row.solvers, solved_first=row.first_solutions)
    shipped = json.loads(SHIPPED_PUZZLES.read_text())
    for variant in variants:
        stored = {json.dumps(row.data["events"]): row for row in model.objects.filter(variant=variant)}
        last = model.objects.filter(variant=variant).aggregate(last=Max("number"))["last"] or 0
        for data in shipped.get(variant, []):
            if (row := stored.get(json.dumps(data["events"]))) is not None:
                model.objects.filter(pk=row.pk).update(data=data)
            else:
                last += 1
                model.objects.create(variant=variant, number=last, data=data)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_puzzle_pool")]
    operations = [migrations.RunPython(replace_puzzles, migrations.RunPython.noop)]
