from celery import shared_task

from compliance.project.operations.heartbeat import record_heartbeat


@shared_task(name="project.heartbeat")
def heartbeat() -> None:
    """Show that work arrives."""
    record_heartbeat(part="worker")
