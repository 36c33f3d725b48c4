"""Page routes of the search, and of what findings are about."""

from django.urls import path

from audits.search import pages

urlpatterns = [
    path("", pages.SearchPage.as_view(), name="search"),
    path("findings/", pages.AllFindings.as_view(), name="all_findings"),
    path("rules/", pages.RulePage.as_view(), name="subject_rule"),
    path("layouts/<uuid:uuid>/", pages.LayoutPage.as_view(), name="subject_layout"),
    path("of/<slug:code>/", pages.OperatorPage.as_view(), name="subject_operator"),
    path("of/<slug:code>/players/<path:name>/", pages.PlayerPage.as_view(), name="subject_player"),
    path("of/<slug:code>/dealers/<path:name>/", pages.DealerPage.as_view(), name="subject_dealer"),
    path("of/<slug:code>/tables/<path:name>/", pages.TablePage.as_view(), name="subject_table"),
]
