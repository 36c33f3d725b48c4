"""Requests for approval, and what becomes of approvals."""

from django.urls import path

from compliance.request_steps import STEPS
from compliance.web.requests import approvals, pages
from compliance.web.requests.conditions import ENDINGS

urlpatterns = [
    path("", pages.requests, name="requests"),
    path("new/", pages.ask, name="new_request"),
    path("<uuid:uuid>/", pages.one, name="request"),
    path("<uuid:uuid>/checklist/", pages.checklist, name="request_checklist"),
    path("<uuid:uuid>/comment/", pages.comment, name="request_comment"),
    *(
        path(f"<uuid:uuid>/{name}/", pages.step, {"name": name}, name=f"request_{name}")
        for name in STEPS
    ),
    path(
        "approvals/<uuid:uuid>/conditions/<int:place>/", approvals.mark, name="approval_condition"
    ),
    path(
        "approvals/<uuid:uuid>/conditions/<int:place>/answer/",
        approvals.answer,
        name="answer_condition",
    ),
    *(
        path(
            f"approvals/<uuid:uuid>/{name}/",
            approvals.withdraw,
            {"name": name},
            name=f"approval_{name}",
        )
        for name in ENDINGS
    ),
]
