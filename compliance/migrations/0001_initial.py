

import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Approval',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('commission', "The commission's approval"), ('verbal', 'Approved verbally, to be written'), ('agency', "The tribal agency's approval"), ('concurrence', "The commission's concurrence")], max_length=12)),
                ('path', models.CharField(blank=True, choices=[('commercial', 'Commercial card rooms'), ('tribal', 'Tribal operations')], max_length=12)),
                ('subject_type', models.CharField(max_length=60)),
                ('subject', models.UUIDField(db_index=True)),
                ('digest', models.CharField(max_length=64)),
                ('by', models.UUIDField(help_text='Who approved.')),
                ('at', models.DateTimeField()),
                ('in_effect_from', models.DateTimeField()),
                ('note', models.TextField(blank=True)),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('number', models.BigIntegerField(primary_key=True, serialize=False)),
                ('size', models.BigIntegerField(unique=True)),
                ('root', models.BinaryField(max_length=32)),
                ('peaks', models.BinaryField()),
                ('note', models.TextField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('number',),
            },
        ),
        migrations.CreateModel(
            name='Compact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('title', models.CharField(max_length=120)),
                ('from_date', models.DateField()),
                ('source', models.TextField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('agency__name', 'from_date'),
            },
        ),
        migrations.CreateModel(
            name='ControlsVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('number', models.PositiveIntegerField()),
                ('content', models.JSONField()),
                ('games_swap_only', models.BooleanField(default=False, help_text='Only games are swapped: may be approved verbally first.')),
                ('submitted_by', models.UUIDField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('operator_id', 'number'),
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(editable=False, unique=True)),
                ('kind', models.CharField(choices=[('rules_of_play', 'Rules of play'), ('layout', 'Layout drawing'), ('letter', 'Letter'), ('internal_controls', 'Internal controls'), ('compact_supplement', 'Supplement under the compact'), ('evidence', 'Evidence')], max_length=20)),
                ('title', models.CharField(max_length=120)),
            ],
            options={
                'ordering': ('title', 'id'),
            },
        ),
        migrations.CreateModel(
            name='DocumentFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=200)),
                ('media_type', models.CharField(max_length=100)),
                ('size', models.PositiveBigIntegerField()),
                ('sha256', models.CharField(db_index=True, max_length=64)),
            ],
            options={
                'ordering': ('version_id', 'place'),
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('at', models.DateTimeField(db_index=True)),
                ('type', models.CharField(db_index=True, max_length=60)),
                ('actor_kind', models.CharField(choices=[('person', 'A person'), ('key', 'A program with a key'), ('system', 'The system itself'), ('anyone', 'Somebody not signed in')], max_length=8)),
                ('actor', models.UUIDField(db_index=True, null=True)),
                ('party', models.UUIDField(db_index=True, null=True)),
                ('object_type', models.CharField(blank=True, max_length=60)),
                ('object', models.UUIDField(db_index=True, null=True)),
                ('reason', models.TextField(blank=True)),
                ('before', models.CharField(blank=True, max_length=64)),
                ('after', models.CharField(blank=True, max_length=64)),
                ('payload', models.JSONField(default=dict)),
                ('personal_digest', models.CharField(blank=True, max_length=64)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='FilingNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('subject', models.UUIDField(db_index=True)),
                ('text', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='GameRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(editable=False, unique=True)),
                ('path', models.CharField(choices=[('commercial', 'Commercial card rooms'), ('tribal', 'Tribal operations')], max_length=12)),
                ('state', models.CharField(choices=[('submitted', 'Submitted'), ('incomplete', 'Something is missing'), ('closed', 'Closed: what was missing did not come'), ('under_review', 'Under review'), ('substantial_interest', 'Review of substantial interests'), ('agency_approved', 'Approved by the agency'), ('concurrence_sought', 'Concurrence sought'), ('objected', 'The commission objected'), ('approved', 'Approved'), ('denied', 'Denied'), ('taken_back', 'Taken back')], default='submitted', max_length=24)),
                ('due', models.DateField(blank=True, null=True)),
                ('since', models.DateTimeField(help_text='When it came to where it stands.', null=True)),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='LastRun',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('begun', models.DateTimeField(help_text='The last attempt, while it is under way.', null=True)),
                ('done', models.DateTimeField(help_text='The last one that succeeded.', null=True)),
                ('failing_since', models.DateTimeField(null=True)),
                ('says', models.TextField(blank=True, help_text='What the last one came to, or why it failed.')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='LawAddition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('rule', models.CharField(db_index=True, max_length=40)),
                ('from_date', models.DateField()),
                ('value', models.JSONField(null=True)),
                ('verified_through', models.DateField()),
                ('citation', models.CharField(max_length=120)),
                ('filing', models.CharField(blank=True, max_length=60)),
                ('grade', models.CharField(choices=[('confirmed', 'confirmed'), ('secondary', 'secondary'), ('inferred', 'inferred'), ('unknown', 'unknown')], max_length=10)),
                ('source', models.TextField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='LawVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('rule', models.CharField(db_index=True, max_length=40)),
                ('through', models.DateField()),
                ('source', models.TextField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='LegalHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(max_length=20)),
                ('object', models.UUIDField(db_index=True)),
                ('covers', models.UUIDField(db_index=True)),
                ('name', models.TextField(help_text='What is held, as it was called then.')),
                ('reason', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('-at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='License',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('house_banked', 'House-banked card room'), ('class_f', 'Class F card room'), ('card_room', 'Nonhouse-banked card room'), ('manufacturer', 'Manufacturer'), ('distributor', 'Distributor'), ('service_supplier', 'Gambling service supplier'), ('state_certification', 'State certification for tribal sales'), ('tribal_license', 'Tribal license')], max_length=20)),
                ('number', models.CharField(max_length=40)),
                ('from_date', models.DateField()),
                ('to_date', models.DateField(blank=True, null=True)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('holder__name', 'from_date'),
            },
        ),
        migrations.CreateModel(
            name='Removal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('under', models.CharField(help_text='Class of retention.', max_length=20)),
                ('years', models.PositiveSmallIntegerField()),
                ('rule', models.TextField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ('-at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='SiemCursor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('receiver', models.CharField(help_text='Host and port.', max_length=300, unique=True)),
                ('shipped', models.BigIntegerField(default=0, help_text='Leaves that the receiver confirmed.')),
                ('failing_since', models.DateTimeField(null=True)),
                ('reason', models.TextField(blank=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('is_active', models.BooleanField(default=True)),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('needs_second_factor', models.BooleanField(default=False, help_text='Set by a reset: signs in with a second factor whatever the role.')),
            ],
            options={
                'verbose_name_plural': 'people',
                'ordering': ('name',),
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='an_address_belongs_to_one_person')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('begins', models.CharField(help_text='How the secret begins, to tell keys apart.', max_length=12)),
                ('secret_sha256', models.CharField(max_length=64, unique=True)),
                ('scopes', models.JSONField(help_text='What it is good for.')),
                ('networks', models.JSONField(help_text='Addresses it may come from (CIDR); empty for any.')),
                ('made', models.DateTimeField()),
                ('expires', models.DateTimeField()),
                ('revoked', models.DateTimeField(null=True)),
                ('last_used', models.DateTimeField(null=True)),
                ('last_address', models.CharField(blank=True, max_length=45)),
                ('due', models.BigIntegerField(default=0, help_text='Microseconds: up to when its allowance of requests is used up.')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-made', '-id'),
            },
        ),
        migrations.CreateModel(
            name='CompactItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('asks', models.TextField()),
                ('citation', models.CharField(max_length=120)),
                ('at', models.DateTimeField()),
                ('compact', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='compliance.compact')),
            ],
            options={
                'ordering': ('compact_id', 'id'),
            },
        ),
        migrations.CreateModel(
            name='CompactValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('rule', models.CharField(choices=[('wager', 'Largest single wager, in cents'), ('players', 'Players at a table'), ('tables', 'Tables'), ('hours_a_week', 'Hours of operation a week')], max_length=16)),
                ('from_date', models.DateField()),
                ('value', models.BigIntegerField(help_text='Left out where it is not known.', null=True)),
                ('grade', models.CharField(choices=[('confirmed', 'confirmed'), ('secondary', 'secondary'), ('inferred', 'inferred'), ('unknown', 'unknown')], max_length=10)),
                ('citation', models.CharField(max_length=120)),
                ('at', models.DateTimeField()),
                ('compact', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='values', to='compliance.compact')),
            ],
            options={
                'ordering': ('rule', 'from_date', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Condition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('controls_first', 'Internal controls are approved first'), ('licensed_makers', 'Equipment from licensed makers and distributors'), ('no_marketing', 'No marketing before the license'), ('as_filed', 'Played under the rules as filed'), ('substantial_interest', 'Review of substantial interests'), ('agency_first', 'The tribal agency approves first'), ('compact_supplement', 'What the compact asks for besides'), ('other', 'Other')], max_length=24)),
                ('says', models.TextField()),
                ('approval', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='conditions', to='compliance.approval')),
            ],
            options={
                'ordering': ('approval_id', 'place'),
            },
        ),
        migrations.CreateModel(
            name='ConditionAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('text', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('condition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='compliance.condition')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='ControlsFiling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('submitted', 'Submitted'), ('returned', 'Returned with comments'), ('approved_verbally', 'Approved verbally'), ('approved', 'Approved in writing'), ('denied', 'Denied'), ('withdrawn', 'Withdrawn')], default='submitted', max_length=20)),
                ('due', models.DateField(blank=True, null=True)),
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='filing', to='compliance.controlsversion')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ControlsComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('section', models.CharField(max_length=40)),
                ('text', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='compliance.controlsversion')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='ControlsVisit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('as_approved', models.BooleanField()),
                ('note', models.TextField(blank=True)),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='visits', to='compliance.controlsversion')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='DocumentText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pages', models.JSONField(help_text='Text by page; an empty one is a scan without text.')),
                ('file', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='text', to='compliance.documentfile')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='DocumentVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('number', models.PositiveIntegerField()),
                ('evidence_date', models.DateField()),
                ('note', models.TextField(blank=True)),
                ('filed_by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='compliance.document')),
            ],
            options={
                'ordering': ('document_id', 'number'),
            },
        ),
        migrations.AddField(
            model_name='documentfile',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='compliance.documentversion'),
        ),
        migrations.CreateModel(
            name='ControlsAttachment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('comment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attachments', to='compliance.controlscomment')),
                ('paper', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.documentversion')),
            ],
            options={
                'ordering': ('place',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ConditionAttachment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('comment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attachments', to='compliance.conditionanswer')),
                ('paper', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.documentversion')),
            ],
            options={
                'ordering': ('place',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PersonalData',
            fields=[
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='personal', serialize=False, to='compliance.event')),
                ('salt', models.BinaryField(max_length=32, null=True)),
                ('data', models.JSONField(null=True)),
            ],
            options={
                'verbose_name_plural': 'personal data',
            },
        ),
        migrations.CreateModel(
            name='Waiting',
            fields=[
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='waiting', serialize=False, to='compliance.event')),
                ('seal', models.BinaryField(max_length=32)),
                ('refused', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name_plural': 'waiting',
            },
        ),
        migrations.CreateModel(
            name='FilingInHand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.UUIDField(editable=False, unique=True)),
                ('queue', models.CharField(choices=[('licensing', 'Licensing'), ('tribal', 'Tribal gaming'), ('financial', 'Financial investigations')], max_length=12)),
                ('since', models.DateTimeField()),
                ('due', models.DateField(blank=True, null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='filings_in_hand', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Denial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('reasons', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='denials', to='compliance.gamerequest')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='CompactTick',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('there', models.BooleanField()),
                ('note', models.TextField(blank=True)),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ticks', to='compliance.compactitem')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ticks', to='compliance.gamerequest')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=24)),
                ('subject', models.BigIntegerField(help_text='Primary key of the row that the work is about.')),
                ('group', models.BigIntegerField(help_text='What the job is part of, such as the replay of a work unit.', null=True)),
                ('exclusive', models.CharField(blank=True, help_text='Jobs with the same value never run at the same time.', max_length=60)),
                ('priority', models.SmallIntegerField(default=0, help_text='Higher goes first.')),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running')], default='pending', max_length=8)),
                ('due', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Not taken before.')),
                ('added', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('token', models.UUIDField(help_text='Names the worker that has the job.', null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('unreturned', models.PositiveIntegerField(default=0, help_text='Leases that were taken and not given back: the worker died, or has it.')),
                ('faults', models.PositiveIntegerField(default=0, help_text='Tries that ended in an error of ours.')),
                ('waits', models.PositiveIntegerField(default=0, help_text='Tries that ended because something else was away, full or busy.')),
                ('failure', models.TextField(blank=True, help_text='Why the last try did not finish.')),
            ],
            options={
                'ordering': ('-priority', 'id'),
                'indexes': [models.Index(fields=['kind', '-priority', 'id'], name='jobs_in_order'), models.Index(fields=['kind', 'group'], name='jobs_of_a_group')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'subject'), name='one_job_per_subject'), models.UniqueConstraint(condition=models.Q(('state', 'running'), models.Q(('exclusive', ''), _negated=True)), fields=('exclusive',), name='exclusive_jobs_run_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='KeptAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The idempotency key.', max_length=100)),
                ('request', models.CharField(help_text='SHA-256 of method, address and body.', max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('location', models.CharField(blank=True, max_length=200)),
                ('body', models.JSONField(null=True)),
                ('at', models.DateTimeField()),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_answers', to='compliance.apikey')),
            ],
        ),
        migrations.CreateModel(
            name='KnownDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('token_sha256', models.CharField(max_length=64)),
                ('browser', models.CharField(help_text='What it calls itself.', max_length=200)),
                ('since', models.DateTimeField()),
                ('last_used', models.DateTimeField(help_text='The last sign-in.')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='known_devices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-last_used',),
            },
        ),
        migrations.CreateModel(
            name='Leaf',
            fields=[
                ('index', models.BigIntegerField(primary_key=True, serialize=False)),
                ('hash', models.BinaryField(max_length=32)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='placed', to='compliance.event')),
            ],
            options={
                'verbose_name_plural': 'leaves',
            },
        ),
        migrations.CreateModel(
            name='HoldLifted',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('reason', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('hold', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='lifted', to='compliance.legalhold')),
            ],
            options={
                'verbose_name_plural': 'holds lifted',
            },
        ),
        migrations.CreateModel(
            name='LicenseChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('effect', models.CharField(choices=[('suspended', 'Suspended'), ('restored', 'Restored'), ('revoked', 'Revoked'), ('surrendered', 'Given up')], max_length=12)),
                ('from_date', models.DateField()),
                ('reason', models.TextField()),
                ('at', models.DateTimeField()),
                ('license', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='compliance.license')),
            ],
            options={
                'ordering': ('from_date', 'id'),
            },
        ),
        migrations.CreateModel(
            name='NoticeChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('way', models.CharField(choices=[('at_once', 'Here, and by mail at once'), ('daily', 'Here, and in one mail a day'), ('here', 'Here alone'), ('never', 'Not at all')], max_length=8)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='NoticeMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed'), ('not_sent', 'Not sent')], default='waiting', max_length=10)),
                ('reason', models.TextField(blank=True, help_text='Why it was not sent, or not yet.')),
                ('made', models.DateTimeField()),
                ('ended', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='Party',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('commission_unit', 'Commission unit'), ('card_room', 'Card room'), ('tribal_operation', 'Tribal gaming operation'), ('tribal_agency', 'Tribal gaming agency'), ('supplier', 'Supplier')], max_length=20)),
                ('code', models.SlugField(max_length=32, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('agency', models.ForeignKey(blank=True, help_text='Of a tribal operation: the gaming agency of its tribe.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='operations', to='compliance.party')),
            ],
            options={
                'verbose_name_plural': 'parties',
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('says', models.CharField(max_length=400)),
                ('link', models.CharField(max_length=200)),
                ('event', models.UUIDField(help_text='What happened; none where a day comes near.', null=True)),
                ('at', models.DateTimeField()),
                ('seen', models.DateTimeField(null=True)),
                ('mail_due', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('mail', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='compliance.noticemail')),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('operator_manager', 'Compliance manager'), ('operator_clerk', 'Clerk'), ('supplier', "Supplier's representative"), ('agency_reviewer', 'Agency reviewer'), ('agent', 'Special agent'), ('supervisor', 'Special agent supervisor'), ('licensing', 'Licensing'), ('financial_investigations', 'Financial investigations'), ('director', 'Director'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24)),
                ('since', models.DateTimeField()),
                ('ended', models.DateTimeField(blank=True, null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='compliance.party')),
            ],
            options={
                'ordering': ('person__name', 'role'),
            },
        ),
        migrations.AddField(
            model_name='license',
            name='holder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='licenses', to='compliance.party'),
        ),
        migrations.AddField(
            model_name='license',
            name='issuer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party'),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('role', models.CharField(choices=[('operator_manager', 'Compliance manager'), ('operator_clerk', 'Clerk'), ('supplier', "Supplier's representative"), ('agency_reviewer', 'Agency reviewer'), ('agent', 'Special agent'), ('supervisor', 'Special agent supervisor'), ('licensing', 'Licensing'), ('financial_investigations', 'Financial investigations'), ('director', 'Director'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24)),
                ('email', models.EmailField(max_length=254)),
                ('name', models.CharField(blank=True, help_text='Suggested to the person.', max_length=120)),
                ('secret_sha256', models.CharField(max_length=64, unique=True)),
                ('made', models.DateTimeField()),
                ('expires', models.DateTimeField()),
                ('accepted', models.DateTimeField(blank=True, null=True)),
                ('withdrawn', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, help_text='None for the first administrator, invited from the command line.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to='compliance.party')),
            ],
            options={
                'ordering': ('-made',),
            },
        ),
        migrations.AddField(
            model_name='gamerequest',
            name='asked_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='compliance.party'),
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=80)),
                ('engine', models.CharField(blank=True, max_length=40)),
                ('banked_by', models.CharField(choices=[('house', 'The house'), ('nobody', 'Nobody: players against each other')], max_length=8)),
                ('at', models.DateTimeField()),
                ('supplier', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='compliance.party')),
            ],
            options={
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='DocumentVisibility',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shown_to', to='compliance.document')),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
            ],
        ),
        migrations.AddField(
            model_name='document',
            name='owner',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='documents', to='compliance.party'),
        ),
        migrations.AddField(
            model_name='controlsversion',
            name='operator',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='controls_versions', to='compliance.party'),
        ),
        migrations.CreateModel(
            name='ControlsDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.JSONField(default=dict)),
                ('edition', models.PositiveIntegerField(default=0, help_text='Counts saves, so that a stale page overwrites nothing.')),
                ('saved', models.DateTimeField(null=True)),
                ('saved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('based_on', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.controlsversion')),
                ('operator', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='controls_draft', to='compliance.party')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='controlscomment',
            name='by_party',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party'),
        ),
        migrations.AddField(
            model_name='conditionanswer',
            name='by_party',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party'),
        ),
        migrations.AddField(
            model_name='compact',
            name='agency',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='compacts', to='compliance.party'),
        ),
        migrations.AddField(
            model_name='approval',
            name='by_party',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party'),
        ),
        migrations.AddField(
            model_name='approval',
            name='party',
            field=models.ForeignKey(help_text='Who may act on it.', on_delete=django.db.models.deletion.PROTECT, related_name='approvals', to='compliance.party'),
        ),
        migrations.AddField(
            model_name='apikey',
            name='party',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='api_keys', to='compliance.party'),
        ),
        migrations.CreateModel(
            name='AccessChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('what', models.CharField(choices=[('invite', 'Invitation'), ('end_role', 'End of a role'), ('reset_second_factor', 'Reset of a second factor')], max_length=20)),
                ('role', models.CharField(blank=True, choices=[('operator_manager', 'Compliance manager'), ('operator_clerk', 'Clerk'), ('supplier', "Supplier's representative"), ('agency_reviewer', 'Agency reviewer'), ('agent', 'Special agent'), ('supervisor', 'Special agent supervisor'), ('licensing', 'Licensing'), ('financial_investigations', 'Financial investigations'), ('director', 'Director'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('reason', models.TextField()),
                ('state', models.CharField(choices=[('proposed', 'Proposed'), ('done_alone', 'Done alone'), ('confirmed', 'Confirmed'), ('withdrawn', 'Withdrawn'), ('reversed', 'Reversed')], default='proposed', max_length=10)),
                ('proposed', models.DateTimeField()),
                ('expires', models.DateTimeField()),
                ('decided', models.DateTimeField(null=True)),
                ('decision_reason', models.TextField(blank=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invitation', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='access_change', to='compliance.invitation')),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='access_changes', to='compliance.party')),
            ],
            options={
                'ordering': ('-proposed', '-id'),
            },
        ),
        migrations.CreateModel(
            name='PartyVisibility',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
                ('shown', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shown_to', to='compliance.party')),
            ],
        ),
        migrations.CreateModel(
            name='RequestComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('section', models.CharField(max_length=80, null=True)),
                ('text', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('by_party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.party')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='compliance.gamerequest')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='RequestAttachment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('paper', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.documentversion')),
                ('comment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attachments', to='compliance.requestcomment')),
            ],
            options={
                'ordering': ('place',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RuleVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('number', models.PositiveIntegerField()),
                ('rule_set', models.CharField(blank=True, help_text='Digest of the rule set.', max_length=64)),
                ('interpretations', models.JSONField(default=dict, help_text='Chosen readings by id, where they are not the default.')),
                ('as_of', models.DateField(help_text='The day of the papers: citations are judged by it.')),
                ('citations', models.JSONField(default=list, help_text='Sections the papers cite for the wager limits.')),
                ('printed_maximum', models.PositiveBigIntegerField(help_text='Maximum aggregate that the layout prints, in cents.', null=True)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rule_versions', to='compliance.game')),
            ],
            options={
                'ordering': ('game__name', 'number'),
            },
        ),
        migrations.AddField(
            model_name='gamerequest',
            name='rule_version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='compliance.ruleversion'),
        ),
        migrations.CreateModel(
            name='FiledPayLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('origin', models.CharField(choices=[('rules', 'Rules of play'), ('layout', 'Layout drawing')], max_length=8)),
                ('table', models.CharField(max_length=30)),
                ('line', models.CharField(max_length=30)),
                ('pays', models.PositiveIntegerField()),
                ('rule_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pay_lines', to='compliance.ruleversion')),
            ],
            options={
                'ordering': ('rule_version_id', 'table', 'origin', 'id'),
            },
        ),
        migrations.CreateModel(
            name='DocumentFinding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('code', models.CharField(choices=[('document.pay_table', 'A pay table differs from the rules'), ('document.limit', 'A limit is outside the law or contradicts a multiple'), ('document.citation', 'A citation did not hold that rule on that day')], max_length=20)),
                ('says', models.TextField()),
                ('cites', models.JSONField(default=list)),
                ('at', models.DateTimeField()),
                ('controls_version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='compliance.controlsversion')),
                ('rule_version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='compliance.ruleversion')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='RuleVersionDocument',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('binding', models.BooleanField(help_text='Rules of play bind; a layout drawing does not.')),
                ('document_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='compliance.documentversion')),
                ('rule_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='documents', to='compliance.ruleversion')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='SignInLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('last_attempt', models.DateTimeField()),
                ('wait_until', models.DateTimeField(help_text='No attempt is checked before this.', null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['last_attempt'], name='sign_in_limits_by_age')],
            },
        ),
        migrations.CreateModel(
            name='Subtree',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.SmallIntegerField()),
                ('position', models.BigIntegerField()),
                ('hash', models.BinaryField(max_length=32)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('level', 'position'), name='one_subtree_at_each_place')],
            },
        ),
        migrations.CreateModel(
            name='Tombstone',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(db_index=True, max_length=64)),
                ('was', models.TextField()),
                ('since', models.DateTimeField(help_text='From when on its years were counted.')),
                ('removal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tombstones', to='compliance.removal')),
            ],
            options={
                'ordering': ('removal_id', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('url', models.CharField(max_length=500)),
                ('kinds', models.JSONField(help_text='Kinds of notices that it is told of.')),
                ('secret', models.TextField(help_text='Encrypted.')),
                ('by', models.UUIDField(help_text='Person or key that made it.')),
                ('made', models.DateTimeField()),
                ('ended', models.DateTimeField(null=True)),
                ('stopped', models.DateTimeField(help_text='Since when nothing is sent any more.', null=True)),
                ('failing_since', models.DateTimeField(help_text='Since when nothing was taken.', null=True)),
                ('last_taken', models.DateTimeField(null=True)),
                ('party', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='compliance.party')),
            ],
            options={
                'ordering': ('-made', '-id'),
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('body', models.TextField(help_text='As it is sent and signed, byte for byte.')),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Taken'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('reason', models.TextField(blank=True, help_text='Why it was not taken, or not yet.')),
                ('answer', models.TextField(blank=True, help_text='How the last answer begins.')),
                ('attempts', models.PositiveIntegerField(default=0, help_text='How often it was sent.')),
                ('made', models.DateTimeField()),
                ('ended', models.DateTimeField(null=True)),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='compliance.webhook')),
            ],
            options={
                'verbose_name_plural': 'webhook deliveries',
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='Withdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('step', models.CharField(choices=[('noticed', 'Noticed'), ('objected', 'Objected to'), ('final', 'Final'), ('dropped', 'Dropped')], max_length=10)),
                ('reason', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('in_effect_from', models.DateTimeField(blank=True, null=True)),
                ('approval', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='withdrawals', to='compliance.approval')),
            ],
            options={
                'ordering': ('at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='CalendarFeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('secret_sha256', models.CharField(max_length=64, unique=True)),
                ('made', models.DateTimeField()),
                ('revoked', models.DateTimeField(null=True)),
                ('due', models.BigIntegerField(default=0, help_text='Microseconds: up to when its allowance of requests is used up.')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('revoked', None)), fields=('person',), name='one_calendar_of_a_person')],
            },
        ),
        migrations.CreateModel(
            name='ConditionMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('mark', models.CharField(choices=[('met', 'Met'), ('not_met', 'Not met'), ('waived', 'Waived')], max_length=8)),
                ('until', models.DateField(blank=True, null=True)),
                ('reason', models.TextField()),
                ('by', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('condition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='marks', to='compliance.condition')),
            ],
            options={
                'ordering': ('at', 'id'),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('mark', 'waived'), _negated=True), ('until__isnull', False), _connector='OR'), name='a_waiver_has_an_end')],
            },
        ),
        migrations.AddConstraint(
            model_name='documentversion',
            constraint=models.UniqueConstraint(fields=('document', 'number'), name='a_version_number_serves_once'),
        ),
        migrations.AddConstraint(
            model_name='controlsattachment',
            constraint=models.UniqueConstraint(fields=('comment', 'paper'), name='a_comment_on_controls_names_a_paper_once'),
        ),
        migrations.AddConstraint(
            model_name='conditionattachment',
            constraint=models.UniqueConstraint(fields=('comment', 'paper'), name='an_answer_on_a_condition_names_a_paper_once'),
        ),
        migrations.AddIndex(
            model_name='keptanswer',
            index=models.Index(fields=['key', 'at'], name='answers_kept_for_a_key'),
        ),
        migrations.AddConstraint(
            model_name='keptanswer',
            constraint=models.UniqueConstraint(fields=('key', 'name'), name='a_request_is_answered_once'),
        ),
        migrations.AddConstraint(
            model_name='knowndevice',
            constraint=models.UniqueConstraint(fields=('token_sha256', 'person'), name='a_device_is_known_once_to_a_person'),
        ),
        migrations.AddConstraint(
            model_name='noticechoice',
            constraint=models.UniqueConstraint(fields=('person', 'kind'), name='a_kind_is_chosen_once'),
        ),
        migrations.AddIndex(
            model_name='noticemail',
            index=models.Index(fields=['state'], name='notice_mails_by_state'),
        ),
        migrations.AddConstraint(
            model_name='party',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['commission_unit', 'card_room', 'tribal_operation', 'tribal_agency', 'supplier'])), name='party_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='party',
            constraint=models.CheckConstraint(condition=models.Q(('agency__isnull', True), ('kind', 'tribal_operation'), _connector='OR'), name='only_a_tribal_operation_has_an_agency'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['person', 'seen'], name='notices_new_to_a_person'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('mail__isnull', True), ('mail_due__isnull', False)), fields=['mail_due'], name='notices_to_be_mailed'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['operator_manager', 'operator_clerk', 'supplier', 'agency_reviewer', 'agent', 'supervisor', 'licensing', 'financial_investigations', 'director', 'auditor', 'administrator'])), name='role_is_known'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(condition=models.Q(('ended__isnull', True)), fields=('party', 'person', 'role'), name='a_role_is_held_once_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='license',
            constraint=models.CheckConstraint(condition=models.Q(('to_date__isnull', True), ('to_date__gt', models.F('from_date')), _connector='OR'), name='a_license_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='license',
            constraint=models.UniqueConstraint(fields=('holder', 'kind', 'number'), name='a_license_is_on_file_once'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['operator_manager', 'operator_clerk', 'supplier', 'agency_reviewer', 'agent', 'supervisor', 'licensing', 'financial_investigations', 'director', 'auditor', 'administrator'])), name='invited_role_is_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('accepted__isnull', True), ('withdrawn__isnull', True), _connector='OR'), name='an_invitation_ends_one_way'),
        ),
        migrations.AddConstraint(
            model_name='documentvisibility',
            constraint=models.UniqueConstraint(fields=('document', 'party'), name='a_document_is_shown_once'),
        ),
        migrations.AddConstraint(
            model_name='controlsversion',
            constraint=models.UniqueConstraint(fields=('operator', 'number'), name='a_controls_version_is_filed_once'),
        ),
        migrations.AddConstraint(
            model_name='approval',
            constraint=models.UniqueConstraint(fields=('kind', 'path', 'subject', 'party'), name='nothing_is_approved_twice'),
        ),
        migrations.AddIndex(
            model_name='accesschange',
            index=models.Index(condition=models.Q(('decided__isnull', True)), fields=['proposed'], name='access_changes_to_decide'),
        ),
        migrations.AddConstraint(
            model_name='accesschange',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ('proposed', 'done_alone', 'withdrawn')), models.Q(('decided_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='only_a_withdrawal_takes_one_person'),
        ),
        migrations.AddConstraint(
            model_name='accesschange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided', None), ('decided_by', None), ('state__in', ('proposed', 'done_alone'))), models.Q(('decided__isnull', False), ('decided_by__isnull', False), ('state__in', ('confirmed', 'withdrawn', 'reversed'))), _connector='OR'), name='an_access_change_is_decided_by_someone'),
        ),
        migrations.AddConstraint(
            model_name='partyvisibility',
            constraint=models.UniqueConstraint(fields=('shown', 'party'), name='a_party_is_shown_once'),
        ),
        migrations.AddConstraint(
            model_name='requestattachment',
            constraint=models.UniqueConstraint(fields=('comment', 'paper'), name='a_comment_on_a_request_names_a_paper_once'),
        ),
        migrations.AddConstraint(
            model_name='ruleversion',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='a_rule_version_is_filed_once'),
        ),
        migrations.AddConstraint(
            model_name='gamerequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('closed', 'denied', 'taken_back', 'objected')), _negated=True), fields=('rule_version', 'path', 'asked_by'), name='a_rule_version_is_asked_for_once'),
        ),
        migrations.AddConstraint(
            model_name='filedpayline',
            constraint=models.UniqueConstraint(fields=('rule_version', 'origin', 'table', 'line'), name='a_pay_line_is_filed_once'),
        ),
        migrations.AddIndex(
            model_name='webhook',
            index=models.Index(fields=['party', 'ended'], name='webhooks_of_a_party'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['webhook', 'state'], name='told_to_a_program'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.UniqueConstraint(fields=('approval', 'step'), name='a_withdrawal_takes_each_step_once'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('step', 'final'), _negated=True), ('in_effect_from__isnull', False), _connector='OR'), name='a_final_withdrawal_has_its_instant'),
        ),
    ]
