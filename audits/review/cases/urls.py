"""Page routes of cases: list, open, add evidence, write and close."""

from django.urls import path

from audits.review.cases import investigation_pages as investigation
from audits.review.cases import pages

urlpatterns = [
    path("", pages.CaseList.as_view(), name="cases"),
    path("new/", pages.NewCase.as_view(), name="new_case"),
    path("complaint/", investigation.NewComplaint.as_view(), name="new_complaint"),
    path("<uuid:uuid>/", pages.CasePage.as_view(), name="case"),
    path("<uuid:uuid>/items/", pages.AddItem.as_view(), name="gather_in_case"),
    path("<uuid:uuid>/items/issue/", pages.AddIssue.as_view(), name="issue_into_case"),
    path(
        "<uuid:uuid>/items/<uuid:item>/take-out/",
        pages.RemoveItem.as_view(),
        name="take_out_of_case",
    ),
    path("<uuid:uuid>/lead/", investigation.LeadCase.as_view(), name="lead_case"),
    path("<uuid:uuid>/people/", investigation.AddPerson.as_view(), name="person_in_case"),
    path("<uuid:uuid>/violations/", investigation.AddViolation.as_view(), name="alleged_in_case"),
    path("<uuid:uuid>/video/", investigation.AddVideo.as_view(), name="video_in_case"),
    path("<uuid:uuid>/tasks/", investigation.AddTask.as_view(), name="task_in_case"),
    path(
        "<uuid:uuid>/tasks/<uuid:task>/done/",
        investigation.FinishTask.as_view(),
        name="finish_case_task",
    ),
    path("<uuid:uuid>/round/", investigation.ResolveRound.as_view(), name="round_of_complaint"),
    path("<uuid:uuid>/reply/", investigation.AnswerComplaint.as_view(), name="answer_complaint"),
    path("<uuid:uuid>/seal/", investigation.SealExhibits.as_view(), name="seal_exhibits"),
    path(
        "<uuid:uuid>/seals/<uuid:seal>/", investigation.SealedFile.as_view(), name="sealed_exhibits"
    ),
    path(
        "<uuid:uuid>/items/<uuid:item>/photos/<int:place>/",
        investigation.CasePhoto.as_view(),
        name="case_photo",
    ),
    path("<uuid:uuid>/facts/", pages.WriteFacts.as_view(), name="write_case"),
    path("<uuid:uuid>/level/", pages.RecommendLevel.as_view(), name="recommend_in_case"),
    path("<uuid:uuid>/note/", pages.AddNote.as_view(), name="note_on_case"),
    path("<uuid:uuid>/close/", pages.CloseCase.as_view(), name="close_case"),
    path("<uuid:uuid>/reopen/", pages.ReopenCase.as_view(), name="reopen_case"),
]
