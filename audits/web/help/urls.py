"""Help for those who decide."""

from django.urls import path

from audits.web.help import pages

urlpatterns = [
    path("deciding/", pages.deciding, name="deciding"),
    path("glossary/", pages.glossary, name="glossary"),
]
