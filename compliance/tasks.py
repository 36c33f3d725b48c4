from celery import shared_task

from compliance.services.integrate import integrate


@shared_task(name="compliance.integrate")
def integrate_events() -> int:
    """Give waiting events their places in the log."""
    return integrate()
