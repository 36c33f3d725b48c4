from django.db import migrations, models


class Migration(migrations.Migration):
    """A log may number a seat as high as it likes: 32 bits do not hold every number."""

    dependencies = [("audits", "0013_comparisons")]

    operations = [
        migrations.AlterField(
            model_name="finding", name="seat", field=models.PositiveBigIntegerField(null=True)
        )
    ]
