"""Page routes of reports, including public verification."""

from django.urls import include, path

from reports.library import pages
from reports.schedules import delivery_pages as sending
from reports.schedules import pages as orders

urlpatterns = [
    path("reports/", pages.ReportList.as_view(), name="reports"),
    path("reports/seen/", pages.MarkSeen.as_view(), name="reports_seen"),
    path("reports/ordered/", orders.OrderList.as_view(), name="report_orders"),
    path("reports/order/", orders.NewOrder.as_view(), name="order_report"),
    path(
        "reports/ordered/retry-failed/",
        orders.RetryFailedOrders.as_view(),
        name="retry_failed_orders",
    ),
    path("reports/ordered/<uuid:uuid>/retry/", orders.RetryOrder.as_view(), name="retry_order"),
    path("reports/sending/", sending.SubscriptionPage.as_view(), name="subscriptions"),
    path(
        "reports/sending/<uuid:uuid>/pause/",
        sending.PauseSubscription.as_view(),
        name="pause_subscription",
    ),
    path(
        "reports/sending/<uuid:uuid>/resume/",
        sending.ResumeSubscription.as_view(),
        name="resume_subscription",
    ),
    path(
        "reports/sending/<uuid:uuid>/end/",
        sending.EndSubscription.as_view(),
        name="end_subscription",
    ),
    path("reports/sent/", sending.DeliveryList.as_view(), name="deliveries"),
    path("reports/sent/failed/again/", sending.SendFailedAgain.as_view(), name="send_failed_again"),
    path("reports/sent/<uuid:uuid>/again/", sending.SendAgain.as_view(), name="send_again"),
    path(
        "reports/sent/<uuid:uuid>/give-up/",
        sending.GiveUpDelivery.as_view(),
        name="give_up_delivery",
    ),
    path("reports/<uuid:uuid>/", pages.ReportPage.as_view(), name="report"),
    path("reports/<uuid:uuid>/report.pdf", pages.SignedFile.as_view(), name="report_file"),
    path("reports/<uuid:uuid>/data.json", pages.ReportData.as_view(), name="report_data"),
    path(
        "reports/<uuid:uuid>/<slug:table>.csv", pages.ReportTableFile.as_view(), name="report_table"
    ),
    path(
        "reports/about/<slug:kind>/<uuid:uuid>/", pages.ReportAbout.as_view(), name="report_about"
    ),
    path(
        "reports/in-effect/<slug:code>/",
        pages.ReportOfDay.as_view(),
        {"kind": "in_effect_on_a_day"},
        name="in_effect_on_a_day",
    ),
    path(
        "reports/rounds/<uuid:log>/<int:line>/",
        pages.RoundSheet.as_view(),
        {"kind": "round_sheet"},
        name="round_sheet",
    ),
    path("reading-room/", include("reports.reading_room.urls")),
    path("verify/", pages.verify, name="verify_report"),
]
