

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('compliance', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('about', models.CharField(help_text='Party, day and subject in one: what reports are numbered by.', max_length=200)),
                ('day', models.DateField(null=True)),
                ('subject', models.UUIDField(db_index=True, null=True)),
                ('number', models.PositiveIntegerField()),
                ('reference', models.CharField(max_length=120)),
                ('title', models.TextField()),
                ('body', models.CharField(db_index=True, help_text='SHA-256 of the body.', max_length=64)),
                ('size', models.PositiveBigIntegerField(help_text='Bytes of the body.')),
                ('pages', models.PositiveIntegerField()),
                ('inputs', models.CharField(help_text='SHA-256 of the kept inputs.', max_length=64)),
                ('engine', models.CharField(blank=True, help_text='Digest of the engine.', max_length=64)),
                ('faces', models.CharField(help_text='Digest of the set of faces.', max_length=64)),
                ('software', models.JSONField(help_text='Versions of what set it in type.')),
                ('at', models.DateTimeField()),
                ('party', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='compliance.party')),
                ('supplements', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='supplemented_by', to='reports.report')),
            ],
            options={
                'ordering': ('-at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='Envelope',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('file', models.CharField(db_index=True, help_text='SHA-256 of the signed file.', max_length=64)),
                ('size', models.PositiveBigIntegerField()),
                ('key', models.CharField(help_text='Whom the certificate names.', max_length=200)),
                ('certificate', models.CharField(help_text='SHA-256 of the certificate.', max_length=64)),
                ('timestamped', models.BooleanField(help_text='Whether an authority vouches for the time.')),
                ('at', models.DateTimeField()),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='envelopes', to='reports.report')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('way', models.CharField(choices=[('application', 'In the application'), ('mail', 'By mail'), ('folder', 'Into the folder of the party')], max_length=12)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed'), ('not_sent', 'Not sent')], default='waiting', max_length=10)),
                ('reason', models.TextField(blank=True, help_text='Why it was not sent, or not yet.')),
                ('attempts', models.PositiveIntegerField(default=0, help_text='How often it was tried.')),
                ('made', models.DateTimeField()),
                ('ended', models.DateTimeField(help_text='When it was sent, or given up.', null=True)),
                ('seen', models.DateTimeField(help_text='When the person first opened the report.', null=True)),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='reports.report')),
            ],
            options={
                'verbose_name_plural': 'deliveries',
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='ReportOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(editable=False, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('about', models.CharField(max_length=200)),
                ('day', models.DateField(null=True)),
                ('subject', models.UUIDField(db_index=True, null=True)),
                ('line', models.BigIntegerField(help_text='Of the subject, a round log: from 1.', null=True)),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('made', 'Made'), ('failed', 'Failed')], default='waiting', max_length=12)),
                ('reason', models.TextField(blank=True, help_text='Why it failed, for whoever can mend it.')),
                ('ordered', models.DateTimeField()),
                ('party', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
                ('report', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reports.report')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='ReportVisibility',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shown_to', to='reports.report')),
            ],
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(blank=True, max_length=40)),
                ('way', models.CharField(choices=[('application', 'In the application'), ('mail', 'By mail'), ('folder', 'Into the folder of the party')], max_length=12)),
                ('since', models.DateTimeField()),
                ('paused', models.DateTimeField(null=True)),
                ('ended', models.DateTimeField(null=True)),
                ('about', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['party', 'day'], name='reports_of_a_day'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('kind', 'about', 'number'), name='a_report_has_its_number_once'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['state'], name='deliveries_by_state'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['person', 'seen'], name='deliveries_new_to_a_person'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('person__isnull', False)), fields=('report', 'person'), name='a_report_comes_to_a_person_once'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('person__isnull', True)), fields=('report', 'party'), name='a_report_comes_to_a_folder_once'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('person__isnull', True), ('way', 'folder')), models.Q(models.Q(('way', 'folder'), _negated=True), ('person__isnull', False)), _connector='OR'), name='a_folder_is_a_party_s'),
        ),
        migrations.AddIndex(
            model_name='reportorder',
            index=models.Index(fields=['state'], name='orders_by_state'),
        ),
        migrations.AddIndex(
            model_name='reportorder',
            index=models.Index(fields=['party', 'day'], name='orders_of_a_day'),
        ),
        migrations.AddConstraint(
            model_name='reportorder',
            constraint=models.UniqueConstraint(fields=('kind', 'about', 'number'), name='a_report_is_ordered_once'),
        ),
        migrations.AddConstraint(
            model_name='reportvisibility',
            constraint=models.UniqueConstraint(fields=('report', 'party'), name='a_report_is_shown_once'),
        ),
        migrations.AddIndex(
            model_name='subscription',
            index=models.Index(fields=['party', 'ended'], name='subscriptions_of_a_party'),
        ),
    ]
