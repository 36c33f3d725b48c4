"""The law by date."""

from django.urls import path

from compliance.web.law import pages

urlpatterns = [
    path("", pages.page, name="law"),
    path("<slug:rule>/add/", pages.add, name="add_law_value"),
    path("<slug:rule>/verify/", pages.verify, name="verify_law"),
]
