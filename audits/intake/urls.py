"""Page routes of round logs: submissions, lists, receipts and rounds."""

from django.urls import path

from audits.intake import pages

urlpatterns = [
    path("", pages.LogList.as_view(), name="rounds"),
    path("submission/", pages.SubmitLog.as_view(), name="submission"),
    path("submission/begin/", pages.BeginUpload.as_view(), name="begin_submission"),
    path("submissions/<uuid:uuid>/", pages.SubmissionPage.as_view(), name="submission_run"),
    path("submissions/<uuid:uuid>/pieces/", pages.UploadState.as_view(), name="submission_pieces"),
    path(
        "submissions/<uuid:uuid>/pieces/<int:number>/",
        pages.UploadPiece.as_view(),
        name="submission_piece",
    ),
    path("submissions/<uuid:uuid>/finish/", pages.FinishUpload.as_view(), name="finish_submission"),
    path(
        "submissions/<uuid:uuid>/give-up/",
        pages.AbandonSubmission.as_view(),
        name="give_up_submission",
    ),
    path("logs/<uuid:uuid>/", pages.Receipt.as_view(), name="round_log"),
    path("logs/<uuid:uuid>/proof/", pages.ReceiptProof.as_view(), name="round_log_proof"),
    path("logs/<uuid:uuid>/rejected/", pages.RejectedLines.as_view(), name="rejected_lines"),
    path("logs/<uuid:uuid>/lines/<int:number>/", pages.LogLine.as_view(), name="log_line"),
    path("logs/<uuid:uuid>/file/", pages.Evidence.as_view(), name="round_log_file"),
]
