"""Documents and their versions."""

from django.urls import path

from compliance.web.documents import pages

urlpatterns = [
    path("", pages.documents, name="documents"),
    path("new/", pages.new, name="new_document"),
    path("<uuid:uuid>/", pages.document, name="document"),
    path("<uuid:uuid>/versions/", pages.new_version, name="new_document_version"),
    path("<uuid:uuid>/show/", pages.show, name="show_document"),
    path("<uuid:uuid>/compare/", pages.compare, name="compare_document"),
    path("versions/<uuid:uuid>/", pages.version, name="document_version"),
    path("versions/<uuid:uuid>/files/<int:place>/", pages.download, name="document_file"),
]
