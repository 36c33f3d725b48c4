"""The Celery application: it carries work from the web and the clock to the workers.

Messages only say that there is work; the database says what to do and what is done. So a lost
message, a killed worker or a wiped broker costs time, never a result.
"""

import os
from typing import Any

from celery import Celery, signals
from django_structlog.celery.signals import modify_context_before_task_publish
from django_structlog.celery.steps import DjangoStructLogInitStep

from compliance.project.logs import repeated_filter
from compliance.project.messages import request_id_alone

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.project.settings")

app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@signals.setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Keep the logging of the settings: Celery would replace it with its own."""


@signals.task_postrun.connect
@signals.before_task_publish.connect
def log_ended_failures(**_: Any) -> None:
    """Log the end of a failure even if nothing else is logged."""
    repeated_filter().log_ended_failures()


@modify_context_before_task_publish.connect
def send_the_request_id_alone(context: dict[str, Any], **_: Any) -> None:
    """Send the broker no names or addresses: anyone who can reach it can read them."""
    kept = request_id_alone(context)
    context.clear()
    context.update(kept)


@signals.celeryd_init.connect
def start_worker(**_: Any) -> None:
    """Stop if the configuration is unsafe, or another worker uses the same folder."""
    from compliance.project.start import be_the_only_worker, forget_secrets, refuse_unsafe_start

    refuse_unsafe_start()
    forget_secrets()
    be_the_only_worker()


@signals.beat_init.connect
def start_beat(**_: Any) -> None:
    """Stop if the configuration is unsafe."""
    from compliance.project.start import refuse_unsafe_start

    refuse_unsafe_start()


@signals.worker_process_init.connect
def start_worker_process(**_: Any) -> None:
    """End with the worker that forked this process, even when it is killed."""
    from compliance.files.sandbox import end_with_parent

    end_with_parent()
