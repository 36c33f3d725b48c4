from django.urls import path

from reports.reading_room import pages

urlpatterns = [
    path("", pages.Room.as_view(), name="reading_room"),
    path("games/<slug:slug>/", pages.GamePage.as_view(), name="public_game"),
    path("games/<slug:slug>/compare/", pages.ComparisonPage.as_view(), name="public_comparison"),
    path("rules/<uuid:uuid>/", pages.RulesPage.as_view(), name="public_rules"),
    path(
        "rules/<uuid:uuid>/definition/",
        pages.PublicDefinition.as_view(),
        name="public_definition",
    ),
    path("rules/<uuid:uuid>/files/<slug:sha256>/", pages.PublicFile.as_view(), name="public_file"),
    path("letters/<uuid:uuid>/", pages.LetterPage.as_view(), name="public_letter"),
    path("law/", pages.LawPage.as_view(), name="public_law"),
    path("law/<slug:name>/", pages.LawRulePage.as_view(), name="public_law_rule"),
]
