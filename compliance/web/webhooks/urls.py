"""Webhooks of a party."""

from django.urls import path

from compliance.web.webhooks import pages

urlpatterns = [
    path("<slug:code>/webhooks/", pages.webhooks, name="webhooks"),
    path("<slug:code>/webhooks/make/", pages.make, name="make_webhook"),
    path("<slug:code>/webhooks/<uuid:uuid>/end/", pages.end, name="end_webhook"),
    path("<slug:code>/webhooks/<uuid:uuid>/resume/", pages.resume, name="resume_webhook"),
    path("<slug:code>/webhooks/<uuid:uuid>/test/", pages.test, name="test_webhook"),
    path("<slug:code>/webhooks/told/<uuid:uuid>/", pages.again, name="tell_webhook_again"),
]
