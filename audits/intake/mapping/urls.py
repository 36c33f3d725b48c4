"""Page routes of mappings."""

from django.urls import path

from audits.intake.mapping import pages

urlpatterns = [
    path("", pages.MappingList.as_view(), name="mappings"),
    path("new/", pages.NewMapping.as_view(), name="new_mapping"),
    path("match/", pages.MatchMapping.as_view(), name="match_mapping"),
    path("<uuid:uuid>/", pages.MappingPage.as_view(), name="mapping"),
    path("<uuid:uuid>/file/", pages.MappingFile.as_view(), name="mapping_file"),
]
