from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_moderation_acts'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='auto_draw',
            field=models.BooleanField(default=False, verbose_name='draw when nothing fits'),
        ),
        migrations.AddField(
            model_name='user',
            name='clock_digits',
            field=models.BooleanField(default=False, verbose_name='seconds on the clock'),
        ),
    ]
