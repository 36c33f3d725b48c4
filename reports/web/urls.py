"""Reports: made and fetched by those who may, verified by anybody."""

from django.urls import include, path

from reports.web import lists, orders, pages, sending, verify

urlpatterns = [
    path("reports/", lists.reports, name="reports"),
    path("reports/seen/", lists.seen, name="reports_seen"),
    path("reports/ordered/", orders.orders, name="report_orders"),
    path("reports/order/", orders.order, name="order_report"),
    path("reports/ordered/<uuid:uuid>/retry/", orders.retry, name="retry_order"),
    path("reports/sending/", sending.subscriptions, name="subscriptions"),
    *(
        path(
            f"reports/sending/<uuid:uuid>/{name}/",
            sending.change,
            {"name": name},
            name=f"{name}_subscription",
        )
        for name in sending.CHANGES
    ),
    path("reports/sent/", sending.deliveries, name="deliveries"),
    path("reports/sent/<uuid:uuid>/again/", sending.again, name="send_again"),
    path("reports/sent/<uuid:uuid>/give-up/", sending.give_up_on, name="give_up_delivery"),
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
    path("reading-room/", include("reports.web.reading_room.urls")),
    path("verify/", verify.page, name="verify_report"),
]
