from reports.documents.models import Envelope, Report, ReportOrder, ReportVisibility
from reports.schedules.models import Delivery, Subscription, Way

__all__ = [
    "Delivery",
    "Envelope",
    "Report",
    "ReportOrder",
    "ReportVisibility",
    "Subscription",
    "Way",
]
