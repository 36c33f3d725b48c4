"""Games and the versions of their rules."""

from django.urls import include, path

from compliance.filings.games import pages

urlpatterns = [
    path("", pages.GameList.as_view(), name="games"),
    path("new/", pages.NewGame.as_view(), name="new_game"),
    path("of/<slug:slug>/", pages.GamePage.as_view(), name="game"),
    path("of/<slug:slug>/new/", pages.NewRuleVersion.as_view(), name="new_rule_version"),
    path("of/<slug:slug>/definition/", include("compliance.filings.definitions.urls")),
    path("versions/<uuid:uuid>/", pages.RuleVersionPage.as_view(), name="rule_version"),
    path("versions/<uuid:uuid>/coverage/", pages.CoveragePage.as_view(), name="coverage"),
]
