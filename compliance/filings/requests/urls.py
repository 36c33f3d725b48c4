"""Requests for approval, and the approvals that follow."""

from django.urls import path

from compliance.filings.requests import action_pages, document_pages, pages
from compliance.filings.requests.forms import ENDINGS
from compliance.filings.requests.steps import STEPS

urlpatterns = [
    path("", pages.RequestList.as_view(), name="requests"),
    path("new/", pages.NewRequest.as_view(), name="new_request"),
    path("<uuid:uuid>/", pages.RequestPage.as_view(), name="request"),
    path("<uuid:uuid>/checklist/", action_pages.TickChecklist.as_view(), name="request_checklist"),
    path(
        "<uuid:uuid>/checklist/<uuid:item>/documents/",
        action_pages.AddChecklistDocument.as_view(),
        name="checklist_document",
    ),
    path(
        "<uuid:uuid>/documents/<uuid:version>/",
        document_pages.RequestDocument.as_view(),
        name="request_document",
    ),
    path(
        "<uuid:uuid>/documents/<uuid:version>/files/<int:place>/",
        document_pages.DownloadRequestDocument.as_view(),
        name="request_document_file",
    ),
    path("<uuid:uuid>/comment/", action_pages.CommentOnRequest.as_view(), name="request_comment"),
    *(
        path(
            f"<uuid:uuid>/{name}/",
            action_pages.TakeStep.as_view(),
            {"name": name},
            name=f"request_{name}",
        )
        for name in STEPS
    ),
    path(
        "approvals/<uuid:uuid>/conditions/<int:place>/",
        action_pages.MarkCondition.as_view(),
        name="approval_condition",
    ),
    path(
        "approvals/<uuid:uuid>/conditions/<int:place>/answer/",
        action_pages.AnswerCondition.as_view(),
        name="answer_condition",
    ),
    *(
        path(
            f"approvals/<uuid:uuid>/{name}/",
            action_pages.WithdrawApproval.as_view(),
            {"name": name},
            name=f"approval_{name}",
        )
        for name in ENDINGS
    ),
]
