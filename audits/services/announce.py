"""Say that there is work, once what it is stands in the database."""

from functools import partial

from celery import current_app
from django.db import transaction


def announce(task: str) -> None:
    """Send a task when the transaction that is under way commits.

    A message that does not go out is only logged: the sweep finds what stands in the database.
    """
    transaction.on_commit(partial(current_app.send_task, task), robust=True)
