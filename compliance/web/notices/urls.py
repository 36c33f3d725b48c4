from django.urls import path

from compliance.web.notices import calendar, mails, pages

urlpatterns = [
    path("", pages.notices, name="notices"),
    path("open/", pages.open_one, name="open_notice"),
    path("read/", pages.read, name="read_notices"),
    path("choices/", pages.choices, name="notice_choices"),
    path("mails/", mails.mails, name="notice_mails"),
    path("mails/mend/", mails.mend, name="mend_notice_mail"),
    path("calendar/", calendar.page, name="calendar"),
    path("calendar/make/", calendar.make, name="make_calendar"),
    path("calendar/revoke/", calendar.revoke, name="revoke_calendar"),
]
