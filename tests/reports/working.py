"""Orders and deliveries processed in the test's own process."""

from __future__ import annotations

from compliance.access.scope import without_access_scope
from compliance.jobs.queue import take_job
from compliance.jobs.work import StoppedError, do_job
from reports.documents.models import ReportOrder
from reports.schedules.models import Delivery


def make_next() -> ReportOrder | None:
    """Make the report that is due next; return None if none is due, or none can be made now."""
    with without_access_scope():
        lease = take_job({ReportOrder.JOB})
        if lease is None:
            return None
        try:
            do_job(lease)
        except StoppedError:
            return None
        return ReportOrder.objects.get(pk=lease.subject)


def send_next() -> Delivery | None:
    """Send what is due next; return None if nothing is."""
    with without_access_scope():
        lease = take_job(Delivery.JOBS.values())
        if lease is None:
            return None
        do_job(lease)
        return Delivery.objects.select_related("person").get(pk=lease.subject)
