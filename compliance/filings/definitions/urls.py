"""The draft of a game's definition."""

from django.urls import path

from compliance.filings.definitions import anchor_pages, pages

urlpatterns = [
    path("", pages.DefinitionPage.as_view(), name="definition"),
    path("begin/", pages.BeginDefinition.as_view(), name="begin_definition"),
    path("discard/", pages.DiscardDefinition.as_view(), name="discard_definition"),
    path("odds/", pages.CountDraftOdds.as_view(), name="count_draft_odds"),
    path("text/", pages.DefinitionText.as_view(), name="definition_text"),
    path("file/", pages.DownloadDefinition.as_view(), name="download_definition"),
    path("words/", anchor_pages.SelectWords.as_view(), name="select_words"),
    path("numbers/<int:file>/", pages.AnchorNumbered.as_view(), name="anchor_numbered"),
    path("<slug:part>/<int:place>/", pages.DefinitionItem.as_view(), name="definition_item"),
]
