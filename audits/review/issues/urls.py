"""Page routes of issues: list, view, assign, decide and release."""

from django.urls import path

from audits.review.issues import pages
from audits.review.issues.steps import STEPS

urlpatterns = [
    path("", pages.IssueList.as_view(), name="issues"),
    path("export/", pages.IssueExport.as_view(), name="export_issues"),
    path("<uuid:uuid>/", pages.IssuePage.as_view(), name="issue"),
    path("<uuid:uuid>/claim/", pages.ClaimIssue.as_view(), name="claim_issue"),
    path("<uuid:uuid>/give/", pages.GiveIssue.as_view(), name="give_issue"),
    path("<uuid:uuid>/escalate/", pages.EscalateIssue.as_view(), name="escalate_issue"),
    path("<uuid:uuid>/release/", pages.ReleaseIssue.as_view(), name="release_issue"),
    path("<uuid:uuid>/answer/", pages.AnswerQuestion.as_view(), name="answer_question"),
    path("<uuid:uuid>/split/", pages.SplitIssue.as_view(), name="split_issue"),
    path("<uuid:uuid>/merge/", pages.MergeIssue.as_view(), name="merge_issue"),
    path("<uuid:uuid>/note/", pages.AddNote.as_view(), name="note_issue"),
    path("<uuid:uuid>/agree/", pages.AgreeToProposal.as_view(), name="second_decision"),
    path("<uuid:uuid>/refuse/", pages.RefuseProposal.as_view(), name="refuse_decision"),
    *(
        path(f"<uuid:uuid>/{name}/", pages.TakeStep.as_view(), {"name": name}, name=f"issue_{name}")
        for name in STEPS
    ),
]
