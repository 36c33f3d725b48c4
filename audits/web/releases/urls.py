"""Releases to operators: of a day's report, and of what is released as it comes."""

from django.urls import path

from audits.web.releases import pages

urlpatterns = [
    path("", pages.waiting, name="releases"),
    path("<slug:code>/", pages.standing, name="standing_releases"),
    path("<slug:code>/<slug:day>/", pages.day, name="day_release"),
]
