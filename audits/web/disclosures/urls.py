"""Own disclosures: made, listed, read, put into a case."""

from django.urls import path

from audits.web.disclosures import pages

urlpatterns = [
    path("", pages.disclosures, name="disclosures"),
    path("new/", pages.new, name="new_disclosure"),
    path("<uuid:uuid>/", pages.one, name="disclosure"),
    path("<uuid:uuid>/case/", pages.into_case, name="disclosure_into_case"),
]
