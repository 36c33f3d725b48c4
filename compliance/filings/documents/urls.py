"""Documents and their versions."""

from django.urls import path

from compliance.filings.documents import pages

urlpatterns = [
    path("", pages.DocumentList.as_view(), name="documents"),
    path("new/", pages.NewDocument.as_view(), name="new_document"),
    path("<uuid:uuid>/", pages.DocumentPage.as_view(), name="document"),
    path("<uuid:uuid>/versions/", pages.NewVersion.as_view(), name="new_document_version"),
    path("<uuid:uuid>/show/", pages.ShareDocument.as_view(), name="show_document"),
    path("<uuid:uuid>/compare/", pages.CompareDocument.as_view(), name="compare_document"),
    path("versions/<uuid:uuid>/", pages.VersionPage.as_view(), name="document_version"),
    path("versions/<uuid:uuid>/files/<int:place>/", pages.Download.as_view(), name="document_file"),
]
