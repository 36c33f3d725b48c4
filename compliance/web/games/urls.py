"""Games and the versions of their rules."""

from django.urls import path

from compliance.web.games import pages

urlpatterns = [
    path("", pages.games, name="games"),
    path("new/", pages.new, name="new_game"),
    path("of/<slug:slug>/", pages.game, name="game"),
    path("of/<slug:slug>/new/", pages.new_version, name="new_rule_version"),
    path("versions/<uuid:uuid>/", pages.version, name="rule_version"),
]
