"""Page routes of the checklist."""

from django.urls import path

from audits.review.nightly_run import pages

urlpatterns = [path("<slug:code>/", pages.Checklist.as_view(), name="checklist")]
