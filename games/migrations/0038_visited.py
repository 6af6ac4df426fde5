"""Whether somebody looked at a match: matches of bots alone are kept then."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0037_talk")]

    operations = [
        migrations.AddField(model_name="match", name="visited", field=models.BooleanField(default=False)),
    ]
