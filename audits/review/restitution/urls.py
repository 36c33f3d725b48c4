"""Page routes of restitution: days on which players were underpaid, and payments."""

from django.urls import path

from audits.review.restitution import pages

urlpatterns = [
    path("", pages.RestitutionDays.as_view(), name="restitution_days"),
    path("<slug:code>/<day:day>/", pages.Restitution.as_view(), name="restitution"),
]
