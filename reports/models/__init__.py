from reports.models.order import ReportOrder
from reports.models.report import Envelope, Report, ReportVisibility

__all__ = ["Envelope", "Report", "ReportOrder", "ReportVisibility"]
