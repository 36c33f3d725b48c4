

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ArchiveSpace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True)),
                ('free', models.BigIntegerField(help_text='In bytes.')),
            ],
            options={
                'ordering': ('at',),
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('part', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='MachineClock',
            fields=[
                ('part', models.CharField(help_text='As `web on host-1`.', max_length=300, primary_key=True, serialize=False)),
                ('at', models.DateTimeField(help_text="By the database's clock.")),
                ('seconds', models.FloatField(default=0, help_text='Above 0: ahead of the database.')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RefusedCount',
            fields=[
                ('reason', models.CharField(max_length=60, primary_key=True, serialize=False)),
                ('count', models.BigIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RefusedMessage',
            fields=[
                ('number', models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('reason', models.CharField(max_length=60)),
                ('size', models.BigIntegerField()),
                ('content', models.BinaryField()),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='RestartedPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('machine', models.CharField(max_length=255)),
                ('part', models.CharField(max_length=20)),
                ('times', models.PositiveIntegerField()),
                ('status', models.IntegerField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('machine', 'part'), name='one_row_for_each_part')],
            },
        ),
    ]
