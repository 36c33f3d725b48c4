"""Page routes of mappings."""

from django.urls import path

from audits.intake.mapping import pages

urlpatterns = [
    path("", pages.MappingList.as_view(), name="mappings"),
    path("new/", pages.NewMapping.as_view(), name="new_mapping"),
    path("match/", pages.MatchMapping.as_view(), name="match_mapping"),
    path("formats/", pages.Formats.as_view(), name="log_formats"),
    path("formats/schema.json", pages.FormatSchema.as_view(), name="log_schema"),
    path("formats/template.csv", pages.CsvTemplate.as_view(), name="csv_template"),
    path("formats/template.xlsx", pages.XlsxTemplate.as_view(), name="xlsx_template"),
    path("<uuid:uuid>/", pages.MappingPage.as_view(), name="mapping"),
    path("<uuid:uuid>/file/", pages.MappingFile.as_view(), name="mapping_file"),
]
