"""Notifications, their emails, due dates, and webhooks."""

from django.urls import path

from compliance.notifications import pages
from compliance.notifications import webhook_pages as webhooks

urlpatterns = [
    path("notifications/", pages.NoticeList.as_view(), name="notices"),
    path("notifications/open/", pages.OpenNotice.as_view(), name="open_notice"),
    path("notifications/read/", pages.ReadNotices.as_view(), name="read_notices"),
    path("notifications/choices/", pages.ChooseNotices.as_view(), name="notice_choices"),
    path("notifications/mails/", pages.MailList.as_view(), name="notice_mails"),
    path("notifications/mails/mend/", pages.FixMail.as_view(), name="mend_notice_mail"),
    path("notifications/calendar/", pages.CalendarPage.as_view(), name="calendar"),
    path("notifications/calendar/make/", pages.CreateCalendar.as_view(), name="make_calendar"),
    path("notifications/calendar/revoke/", pages.RevokeCalendar.as_view(), name="revoke_calendar"),
    path("account/calendar/<str:secret>.ics", pages.feed, name="calendar_feed"),
    path("people/<slug:code>/webhooks/", webhooks.WebhooksPage.as_view(), name="webhooks"),
    path(
        "people/<slug:code>/webhooks/make/", webhooks.CreateWebhook.as_view(), name="make_webhook"
    ),
    path(
        "people/<slug:code>/webhooks/<uuid:uuid>/end/",
        webhooks.EndWebhook.as_view(),
        name="end_webhook",
    ),
    path(
        "people/<slug:code>/webhooks/<uuid:uuid>/resume/",
        webhooks.ResumeWebhook.as_view(),
        name="resume_webhook",
    ),
    path(
        "people/<slug:code>/webhooks/<uuid:uuid>/test/",
        webhooks.TestWebhook.as_view(),
        name="test_webhook",
    ),
    path(
        "people/<slug:code>/webhooks/told/<uuid:uuid>/",
        webhooks.RetryDelivery.as_view(),
        name="tell_webhook_again",
    ),
]
