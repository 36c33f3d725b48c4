"""What programs ask of this room."""

from django.urls import path

from reports.api import reports

urlpatterns = [
    path("reports", reports.Reports.as_view(), name="api_reports"),
    path("reports/<uuid:uuid>", reports.OneReport.as_view(), name="api_report"),
    path("reports/<uuid:uuid>/file", reports.SignedFile.as_view(), name="api_report_file"),
    path("reports/<uuid:uuid>/data", reports.Data.as_view(), name="api_report_data"),
    path(
        "reports/<uuid:uuid>/tables/<slug:table>",
        reports.OneTable.as_view(),
        name="api_report_table",
    ),
]
