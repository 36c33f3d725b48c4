"""The Celery application: what carries work from the web and the clock to the workers.

Messages only say that there is work; what is to be done and what is done stands in the database.
So a lost message, a killed worker or a wiped broker costs time, never a result.
"""

import os
from typing import Any

from celery import Celery, signals
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.project.settings")

app = Celery("compliance")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@signals.setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Leave logging as the settings have it: Celery would put its own in place."""


@signals.celeryd_init.connect
def start_worker(**_: Any) -> None:
    """Refuse to work under an unsafe configuration, or beside another worker of one folder."""
    from compliance.project.start import be_the_only_worker, refuse_unsafe_start

    refuse_unsafe_start()
    be_the_only_worker()


@signals.beat_init.connect
def start_beat(**_: Any) -> None:
    """Refuse to keep time under an unsafe configuration."""
    from compliance.project.start import refuse_unsafe_start

    refuse_unsafe_start()


@signals.worker_process_init.connect
def start_worker_process(**_: Any) -> None:
    """End with the worker that forked this process, even when it is killed."""
    from compliance.end_with_parent import end_with_parent

    end_with_parent()
