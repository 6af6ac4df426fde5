from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0020_proposals")]

    operations = [
        migrations.AddField(
            "sanction", "address", models.CharField(blank=True, default="", editable=False, max_length=32)
        ),
        migrations.AddIndex(
            "sanction",
            models.Index(condition=~models.Q(address=""), fields=["address"], name="sanction_address"),
        ),
    ]
