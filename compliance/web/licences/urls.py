"""Licences and compacts."""

from django.urls import path

from compliance.web.licences import pages

urlpatterns = [
    path("", pages.licences, name="licences"),
    path("new/", pages.grant, name="grant_licence"),
    path("compacts/new/", pages.enter, name="enter_compact"),
    path("compacts/values/new/", pages.add_value, name="add_compact_value"),
    path("compacts/items/new/", pages.add_item, name="add_compact_item"),
    path("<uuid:uuid>/", pages.licence, name="licence"),
    path("<uuid:uuid>/change/", pages.change, name="change_licence"),
]
