"""What waits for the commission, and the desk of one filing."""

from django.urls import path

from compliance.web.filings import pages

urlpatterns = [
    path("", pages.queues, name="filings"),
    path("<uuid:uuid>/", pages.one, name="filing"),
    path("<uuid:uuid>/take/", pages.take, name="take_filing"),
    path("<uuid:uuid>/give/", pages.give, name="give_filing"),
    path("<uuid:uuid>/back/", pages.put_back, name="put_filing_back"),
    path("<uuid:uuid>/note/", pages.note, name="note_filing"),
]
