"""API routes of audits."""

from django.urls import path

from audits.intake import api as round_logs
from audits.intake import api as submissions
from audits.intake.mapping import api as mappings
from audits.intake.table_records import api as table_records
from audits.replay import api as comparisons
from audits.replay import api as replays
from audits.replay.rehearsal import api as rehearsals
from audits.review.cases import api as cases
from audits.review.dashboard import api as dashboard
from audits.review.disclosures import api as disclosures
from audits.review.issues import api as findings
from audits.review.issues import api as questions
from audits.review.queue import api as queue
from audits.review.releases import api as days
from audits.review.restitution import api as restitution
from audits.review.rounds import api as table_rounds
from audits.review.visits import api as visits
from audits.watch import api as watch

urlpatterns = [
    path("submissions", submissions.Submissions.as_view(), name="api_submissions"),
    path("submissions/<uuid:uuid>", submissions.OneSubmission.as_view(), name="api_submission"),
    path(
        "submissions/<uuid:uuid>/pieces/<int:number>",
        submissions.OnePiece.as_view(),
        name="api_submission_piece",
    ),
    path(
        "submissions/<uuid:uuid>/finish",
        submissions.FinishSubmission.as_view(),
        name="api_finish_submission",
    ),
    path(
        "submissions/<uuid:uuid>/give-up",
        submissions.GiveUpSubmission.as_view(),
        name="api_give_up_submission",
    ),
    path("round-logs", round_logs.RoundLogs.as_view(), name="api_round_logs"),
    path("log-mappings", mappings.LogMappings.as_view(), name="api_log_mappings"),
    path("log-mappings/<uuid:uuid>", mappings.OneLogMapping.as_view(), name="api_log_mapping"),
    path("table-records", table_records.TableRecords.as_view(), name="api_table_records"),
    path(
        "table-records/<uuid:uuid>/withdrawal",
        table_records.WithdrawTableRecord.as_view(),
        name="api_withdraw_table_record",
    ),
    path("round-logs/check", rehearsals.CheckLog.as_view(), name="api_check_log"),
    path("round-logs/<uuid:uuid>", round_logs.Receipt.as_view(), name="api_round_log"),
    path("round-logs/<uuid:uuid>/proof", round_logs.Proof.as_view(), name="api_round_log_proof"),
    path(
        "round-logs/<uuid:uuid>/rejected-lines",
        round_logs.RejectedLines.as_view(),
        name="api_rejected_lines",
    ),
    path("round-logs/<uuid:uuid>/file", round_logs.Evidence.as_view(), name="api_round_log_file"),
    path("round", round_logs.Rounds.as_view(), name="api_round"),
    path("rounds", table_rounds.TableRounds.as_view(), name="api_rounds"),
    path("watch", watch.Watch.as_view(), name="api_watch"),
    path("dashboard", dashboard.HowThingsStand.as_view(), name="api_dashboard"),
    path("issues", findings.Issues.as_view(), name="api_issues"),
    path("issues/<uuid:uuid>", findings.OneIssue.as_view(), name="api_issue"),
    path(
        "issues/<uuid:uuid>/questions",
        questions.QuestionsOnIssue.as_view(),
        name="api_questions_on_issue",
    ),
    path("questions", questions.Questions.as_view(), name="api_questions"),
    path("disclosures", disclosures.Disclosures.as_view(), name="api_disclosures"),
    path("disclosures/<uuid:uuid>", disclosures.OneDisclosure.as_view(), name="api_disclosure"),
    path("restitution", restitution.Restitution.as_view(), name="api_restitution"),
    path("restitution/days", restitution.OwingDays.as_view(), name="api_restitution_days"),
    path("gambling-days", days.GamblingDays.as_view(), name="api_gambling_days"),
    path("standing-releases", days.StandingReleases.as_view(), name="api_standing_releases"),
    path("work", queue.Work.as_view(), name="api_work"),
    path("issues/<uuid:uuid>/decisions", queue.Decisions.as_view(), name="api_decisions"),
    path("cases", cases.Cases.as_view(), name="api_cases"),
    path("cases/<uuid:uuid>", cases.OneCase.as_view(), name="api_case"),
    path("visits", visits.Visits.as_view(), name="api_visits"),
    path("visits/<uuid:uuid>", visits.OneVisit.as_view(), name="api_visit"),
    path("findings", findings.Findings.as_view(), name="api_findings"),
    path("replays", replays.Replays.as_view(), name="api_replays"),
    path("replays/<uuid:uuid>", replays.OneReplay.as_view(), name="api_replay"),
    path(
        "replays/<uuid:uuid>/findings",
        replays.FindingsOfReplay.as_view(),
        name="api_findings_of_replay",
    ),
    path("replays/<uuid:uuid>/cancel", replays.CancelReplay.as_view(), name="api_cancel_replay"),
    path("replays/<uuid:uuid>/priority", replays.MoveReplay.as_view(), name="api_move_replay"),
    path("replays/<uuid:uuid>/retry", replays.RetryReplay.as_view(), name="api_retry_replay"),
    path(
        "replays/<uuid:uuid>/comparisons",
        comparisons.Comparisons.as_view(),
        name="api_compare_replays",
    ),
    path(
        "replay-comparisons/<uuid:uuid>",
        comparisons.OneComparison.as_view(),
        name="api_comparison",
    ),
]
