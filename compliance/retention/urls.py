"""Legal holds, and retention periods."""

from django.urls import path

from compliance.retention import pages

urlpatterns = [
    path("", pages.HoldsPage.as_view(), name="holds"),
    path("place/", pages.PlaceHold.as_view(), name="place_hold"),
    path("<uuid:uuid>/lift/", pages.LiftHold.as_view(), name="lift_hold"),
]
