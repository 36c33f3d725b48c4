"""Acts that take two people."""

from django.urls import path

from compliance.acts import pages

urlpatterns = [
    path("", pages.ActList.as_view(), name="acts"),
    path("<uuid:uuid>/", pages.ActPage.as_view(), name="act"),
    path("<uuid:uuid>/confirm/", pages.ConfirmAct.as_view(), name="confirm_act"),
    path("<uuid:uuid>/turn-down/", pages.TurnDownAct.as_view(), name="turn_down_act"),
]
