"""API routes of reports."""

from django.urls import path

from reports.library import api as reports
from reports.schedules import api as orders

urlpatterns = [
    path("reports", reports.Reports.as_view(), name="api_reports"),
    path("report-orders", orders.Orders.as_view(), name="api_order_report"),
    path("report-orders/<uuid:uuid>", orders.OneOrder.as_view(), name="api_report_order"),
    path("reports/<uuid:uuid>", reports.OneReport.as_view(), name="api_report"),
    path("reports/<uuid:uuid>/file", reports.SignedFile.as_view(), name="api_report_file"),
    path("reports/<uuid:uuid>/data", reports.Data.as_view(), name="api_report_data"),
    path(
        "reports/<uuid:uuid>/tables/<slug:table>",
        reports.OneTable.as_view(),
        name="api_report_table",
    ),
]
