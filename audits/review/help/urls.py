"""Page routes of help for reviewers."""

from django.urls import path

from audits.review.help import pages

urlpatterns = [
    path("deciding/", pages.Deciding.as_view(), name="deciding"),
    path("glossary/", pages.Glossary.as_view(), name="glossary"),
]
