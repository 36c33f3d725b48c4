"""What programs ask of this room."""

from django.urls import path

from audits.api import (
    cases,
    comparisons,
    dashboard,
    days,
    desk,
    disclosures,
    findings,
    hand_ins,
    questions,
    replays,
    restitution,
    round_logs,
    table_rounds,
    visits,
)

urlpatterns = [
    path("hand-ins", hand_ins.HandIns.as_view(), name="api_hand_ins"),
    path("hand-ins/<uuid:uuid>", hand_ins.OneHandIn.as_view(), name="api_hand_in"),
    path(
        "hand-ins/<uuid:uuid>/pieces/<int:number>",
        hand_ins.OnePiece.as_view(),
        name="api_hand_in_piece",
    ),
    path("hand-ins/<uuid:uuid>/finish", hand_ins.FinishHandIn.as_view(), name="api_finish_hand_in"),
    path(
        "hand-ins/<uuid:uuid>/give-up", hand_ins.GiveUpHandIn.as_view(), name="api_give_up_hand_in"
    ),
    path("round-logs", round_logs.RoundLogs.as_view(), name="api_round_logs"),
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
    path("dashboard", dashboard.HowThingsStand.as_view(), name="api_dashboard"),
    path("patterns", findings.Patterns.as_view(), name="api_patterns"),
    path("patterns/<uuid:uuid>", findings.OnePattern.as_view(), name="api_pattern"),
    path(
        "patterns/<uuid:uuid>/questions",
        questions.QuestionsOnPattern.as_view(),
        name="api_questions_on_pattern",
    ),
    path("questions", questions.Questions.as_view(), name="api_questions"),
    path("disclosures", disclosures.Disclosures.as_view(), name="api_disclosures"),
    path("disclosures/<uuid:uuid>", disclosures.OneDisclosure.as_view(), name="api_disclosure"),
    path("restitution", restitution.Restitution.as_view(), name="api_restitution"),
    path("restitution/days", restitution.OwingDays.as_view(), name="api_restitution_days"),
    path("gambling-days", days.GamblingDays.as_view(), name="api_gambling_days"),
    path("standing-releases", days.StandingReleases.as_view(), name="api_standing_releases"),
    path("work", desk.Work.as_view(), name="api_work"),
    path("patterns/<uuid:uuid>/decisions", desk.Decisions.as_view(), name="api_decisions"),
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
