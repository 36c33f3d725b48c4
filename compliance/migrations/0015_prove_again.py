"""Count definitions again that were counted before their checks were proven."""

from django.db import migrations


def count_again(apps, schema_editor):
    odds = apps.get_model("compliance", "DefinitionOdds")
    odds.objects.filter(state="done", proofs={}).update(state="waiting")


class Migration(migrations.Migration):
    dependencies = [("compliance", "0014_letter_words")]
    operations = [migrations.RunPython(count_again, migrations.RunPython.noop, elidable=True)]
