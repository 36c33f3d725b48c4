from reports.models.delivery import Delivery, Subscription, Way
from reports.models.order import ReportOrder
from reports.models.report import Envelope, Report, ReportVisibility

__all__ = [
    "Delivery",
    "Envelope",
    "Report",
    "ReportOrder",
    "ReportVisibility",
    "Subscription",
    "Way",
]
