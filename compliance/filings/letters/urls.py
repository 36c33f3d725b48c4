"""Letter templates."""

from django.urls import path

from compliance.filings.letters import pages

urlpatterns = [
    path("", pages.LetterTemplates.as_view(), name="letter_templates"),
    path("<slug:code>/", pages.LetterTemplate.as_view(), name="letter_template"),
]
