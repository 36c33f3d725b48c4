"""Restitution: the days on which players were paid too little, and what was paid since."""

from django.urls import path

from audits.web.restitution import pages

urlpatterns = [
    path("", pages.days, name="restitution_days"),
    path("<slug:code>/<slug:day>/", pages.day, name="restitution"),
]
