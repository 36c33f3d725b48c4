"""Page routes of cases: list, open, add evidence, write and close."""

from django.urls import path

from audits.review.cases import pages

urlpatterns = [
    path("", pages.CaseList.as_view(), name="cases"),
    path("new/", pages.NewCase.as_view(), name="new_case"),
    path("<uuid:uuid>/", pages.CasePage.as_view(), name="case"),
    path("<uuid:uuid>/items/", pages.AddItem.as_view(), name="gather_in_case"),
    path("<uuid:uuid>/items/issue/", pages.AddIssue.as_view(), name="issue_into_case"),
    path(
        "<uuid:uuid>/items/<uuid:item>/take-out/",
        pages.RemoveItem.as_view(),
        name="take_out_of_case",
    ),
    path("<uuid:uuid>/facts/", pages.WriteFacts.as_view(), name="write_case"),
    path("<uuid:uuid>/level/", pages.RecommendLevel.as_view(), name="recommend_in_case"),
    path("<uuid:uuid>/note/", pages.AddNote.as_view(), name="note_on_case"),
    path("<uuid:uuid>/close/", pages.CloseCase.as_view(), name="close_case"),
    path("<uuid:uuid>/reopen/", pages.ReopenCase.as_view(), name="reopen_case"),
]
