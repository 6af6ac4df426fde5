import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Only Python's names change: the tables stay what they are called."""

    dependencies = [
        ("games", "0014_words"),
    ]

    operations = [
        migrations.AlterModelTable(name="crowd", table="games_crowd"),
        migrations.RenameModel(old_name="Crowd", new_name="SpectatorCount"),
        migrations.AlterModelTable(name="pulse", table="games_pulse"),
        migrations.RenameModel(old_name="Pulse", new_name="SiteHeartbeat"),
        migrations.AlterModelOptions(
            name="siteheartbeat",
            options={"verbose_name": "heartbeat of the site", "verbose_name_plural": "heartbeats of the site"},
        ),
        migrations.AlterModelOptions(
            name="spectatorcount",
            options={"verbose_name": "spectator count", "verbose_name_plural": "spectator counts"},
        ),
        migrations.AlterField(
            model_name="spectatorcount",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="spectator_counts", to="games.match"
            ),
        ),
    ]
