"""Reports: made and fetched by those who may, verified by anybody."""

from django.urls import path

from reports.web import pages, verify

urlpatterns = [
    path("reports/", pages.reports, name="reports"),
    path("reports/<uuid:uuid>/", pages.report, name="report"),
    path("reports/<uuid:uuid>/report.pdf", pages.signed_file, name="report_file"),
    path("reports/<uuid:uuid>/data.json", pages.data, name="report_data"),
    path("reports/<uuid:uuid>/<slug:table>.csv", pages.table, name="report_table"),
    path("reports/about/<slug:kind>/<uuid:uuid>/", pages.about, name="report_about"),
    path(
        "reports/in-force/<slug:code>/",
        pages.of_day,
        {"kind": "in_force_on_a_day"},
        name="in_force_on_a_day",
    ),
    path("reports/rounds/<uuid:log>/<int:line>/", pages.of_round, name="round_sheet"),
    path("verify/", verify.page, name="verify_report"),
]
