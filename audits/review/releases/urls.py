"""Page routes of releases: of a day's report, and automatic releases."""

from django.urls import path

from audits.review.releases import pages

urlpatterns = [
    path("", pages.Releases.as_view(), name="releases"),
    path("<slug:code>/", pages.StandingReleases.as_view(), name="standing_releases"),
    path("<slug:code>/<day:day>/", pages.DayRelease.as_view(), name="day_release"),
]
