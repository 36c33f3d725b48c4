"""Legal holds, and how long bytes are kept."""

from django.urls import path

from compliance.web.retention import pages

urlpatterns = [
    path("", pages.holds, name="holds"),
    path("place/", pages.place, name="place_hold"),
    path("<uuid:uuid>/lift/", pages.lift, name="lift_hold"),
]
