from django.urls import path

from reports.web.reading_room import games, law

urlpatterns = [
    path("", games.room, name="reading_room"),
    path("games/<slug:slug>/", games.game, name="public_game"),
    path("games/<slug:slug>/compare/", games.compare, name="public_comparison"),
    path("rules/<uuid:uuid>/", games.rules, name="public_rules"),
    path("letters/<uuid:uuid>/", games.letter, name="public_letter"),
    path("law/", law.on_a_day, name="public_law"),
    path("law/<slug:name>/", law.through_the_years, name="public_law_rule"),
]
