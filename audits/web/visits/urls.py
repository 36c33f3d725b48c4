"""Visits: listed, begun, looked through thing by thing, ended."""

from django.urls import path

from audits.web.visits import pages

urlpatterns = [
    path("", pages.visits, name="visits"),
    path("begin/", pages.begin, name="begin_visit"),
    path("<uuid:uuid>/", pages.one, name="visit"),
    path("<uuid:uuid>/end/", pages.end, name="end_visit"),
    path("<uuid:uuid>/<int:place>/", pages.item, name="visit_item"),
]
