"""Page routes of the watch."""

from django.urls import path

from audits.watch import pages

urlpatterns = [
    path("", pages.WatchPage.as_view(), name="watch"),
    path("<slug:code>/", pages.OperatorWatch.as_view(), name="watch_operator"),
    path("<slug:code>/subject/", pages.SubjectPage.as_view(), name="watch_subject"),
    path("<slug:code>/stream/", pages.StreamPage.as_view(), name="watch_stream"),
]
