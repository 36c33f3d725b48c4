"""The commission's pending filings, and the queue page of one filing."""

from django.urls import path

from compliance.filings.queues import pages

urlpatterns = [
    path("", pages.QueuePage.as_view(), name="filings"),
    path("<uuid:uuid>/", pages.FilingPage.as_view(), name="filing"),
    path("<uuid:uuid>/take/", pages.AssignToMe.as_view(), name="take_filing"),
    path("<uuid:uuid>/give/", pages.AssignFiling.as_view(), name="give_filing"),
    path("<uuid:uuid>/back/", pages.UnassignFiling.as_view(), name="put_filing_back"),
    path("<uuid:uuid>/note/", pages.AddFilingNote.as_view(), name="note_filing"),
]
