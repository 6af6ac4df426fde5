from django.db import migrations

PERMISSIONS = [
    ("mute", "Can mute a person"),
    ("suspend", "Can suspend a person"),
    ("lift", "Can lift a sanction"),
    ("sanction_staff", "Can mute or suspend somebody of the staff"),
]
NAMES = {"verbose_name": "sanction", "verbose_name_plural": "sanctions"}


class Migration(migrations.Migration):
    dependencies = [("accounts", "0018_warnings")]

    operations = [migrations.AlterModelOptions("sanction", NAMES | {"permissions": PERMISSIONS})]
