from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("compliance", "0011_webhooks"),
    ]

    operations = [
        migrations.AddField(
            model_name="requestcomment",
            name="section",
            field=models.CharField(max_length=80, null=True),
        ),
    ]
