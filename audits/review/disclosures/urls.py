"""Page routes of own disclosures: make, list, read and add to a case."""

from django.urls import path

from audits.review.disclosures import pages

urlpatterns = [
    path("", pages.DisclosureList.as_view(), name="disclosures"),
    path("new/", pages.NewDisclosure.as_view(), name="new_disclosure"),
    path("<uuid:uuid>/", pages.DisclosurePage.as_view(), name="disclosure"),
    path("<uuid:uuid>/case/", pages.AddToCase.as_view(), name="disclosure_into_case"),
]
