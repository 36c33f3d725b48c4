"""The law by date."""

from django.urls import path

from compliance.law import pages

urlpatterns = [
    path("", pages.LawPage.as_view(), name="law"),
    path("<slug:rule>/add/", pages.AddLawValue.as_view(), name="add_law_value"),
    path("<slug:rule>/verify/", pages.VerifyLaw.as_view(), name="verify_law"),
]
