"""Every address of the API, by its name: the scopes that open it, and the objects in it."""

from __future__ import annotations

from dataclasses import dataclass

from compliance.access.permissions import KeyScope


@dataclass(frozen=True)
class Opened:
    """The scopes that open an address; `of` names the objects of a party in it, in order."""

    by: tuple[KeyScope, ...] = ()
    method: str = "get"
    of: tuple[str, ...] = ()


SUBMISSION, ROUNDS, FINDINGS = KeyScope.SUBMISSION, KeyScope.ROUNDS, KeyScope.FINDINGS
REPLAYS, CONTROLS, REPORTS = KeyScope.REPLAYS, KeyScope.CONTROLS, KeyScope.REPORTS
WEBHOOKS, ORDERS, EVENTS = KeyScope.WEBHOOKS, KeyScope.ORDERS, KeyScope.EVENTS
FILE_CONTROLS, ANSWERS = KeyScope.FILE_CONTROLS, KeyScope.ANSWERS
DISCLOSURES, RESTITUTION = KeyScope.DISCLOSURES, KeyScope.RESTITUTION
CASES, FILINGS, DOCUMENTS = KeyScope.CASES, KeyScope.FILINGS, KeyScope.DOCUMENTS

OPENED: dict[str, Opened] = {
    "api_key_itself": Opened(tuple(KeyScope)),
    "api_law": Opened(tuple(KeyScope)),
    "api_parties": Opened(tuple(KeyScope)),
    "api_events": Opened((EVENTS,)),
    "api_in_effect": Opened((CONTROLS,)),
    "api_controls": Opened((CONTROLS, FILE_CONTROLS)),
    "api_check_controls": Opened((FILE_CONTROLS,), "post"),
    "api_controls_version": Opened((CONTROLS, FILE_CONTROLS), of=("controls_version",)),
    "api_withdraw_controls": Opened((FILE_CONTROLS,), "post", ("controls_version",)),
    "api_remark_on_controls": Opened((FILE_CONTROLS,), "post", ("controls_version",)),
    "api_controls_draft": Opened((FILE_CONTROLS,)),
    "api_controls_draft_part": Opened((FILE_CONTROLS,), "put", ("section",)),
    "api_submit_controls_draft": Opened((FILE_CONTROLS,), "post"),
    "api_games": Opened((FILINGS,)),
    "api_rule_version": Opened((FILINGS,), of=("rule_version",)),
    "api_requests": Opened((FILINGS,)),
    "api_request": Opened((FILINGS,), of=("request",)),
    "api_waiting_filings": Opened((FILINGS,)),
    "api_licenses": Opened((FILINGS,)),
    "api_documents": Opened((FILINGS,)),
    "api_document": Opened((FILINGS,), of=("document",)),
    "api_document_versions": Opened((DOCUMENTS,), "post", ("document",)),
    "api_document_file": Opened((FILINGS,), of=("document_version", "file")),
    "api_restitution": Opened((DISCLOSURES, RESTITUTION)),
    "api_restitution_days": Opened((DISCLOSURES, RESTITUTION)),
    "api_gambling_days": Opened((CASES,)),
    "api_standing_releases": Opened((CASES,)),
    "api_work": Opened((CASES,)),
    "api_decisions": Opened((CASES,), of=("issue",)),
    "api_cases": Opened((CASES,)),
    "api_case": Opened((CASES,), of=("case",)),
    "api_visits": Opened((CASES,)),
    "api_visit": Opened((CASES,), of=("visit",)),
    "api_questions": Opened((FINDINGS, ANSWERS)),
    "api_questions_on_issue": Opened((FINDINGS, ANSWERS), of=("issue",)),
    "api_disclosures": Opened((DISCLOSURES,)),
    "api_disclosure": Opened((DISCLOSURES,), of=("disclosure",)),
    "api_order_report": Opened((ORDERS,), "post"),
    "api_report_order": Opened((ORDERS,), of=("report_order",)),
    "api_webhooks": Opened((WEBHOOKS,)),
    "api_webhook": Opened((WEBHOOKS,), of=("webhook",)),
    "api_end_webhook": Opened((WEBHOOKS,), "post", ("webhook",)),
    "api_resume_webhook": Opened((WEBHOOKS,), "post", ("webhook",)),
    "api_test_webhook": Opened((WEBHOOKS,), "post", ("webhook",)),
    "api_deliveries": Opened((WEBHOOKS,), of=("webhook",)),
    "api_tell_webhook_again": Opened((WEBHOOKS,), "post", ("webhook_delivery",)),
    "api_submissions": Opened((SUBMISSION, ROUNDS)),
    "api_submission": Opened((SUBMISSION, ROUNDS), of=("submission",)),
    "api_submission_piece": Opened((SUBMISSION,), "put", ("submission", "piece")),
    "api_finish_submission": Opened((SUBMISSION,), "post", ("submission",)),
    "api_give_up_submission": Opened((SUBMISSION,), "post", ("submission",)),
    "api_log_mappings": Opened((SUBMISSION, ROUNDS)),
    "api_log_mapping": Opened((SUBMISSION, ROUNDS), of=("log_mapping",)),
    "api_table_records": Opened((SUBMISSION, ROUNDS)),
    "api_withdraw_table_record": Opened((SUBMISSION,), "post", of=("table_record",)),
    "api_check_log": Opened((SUBMISSION,), "put"),
    "api_round_logs": Opened((ROUNDS,)),
    "api_round_log": Opened((SUBMISSION, ROUNDS), of=("round_log",)),
    "api_round_log_proof": Opened((SUBMISSION, ROUNDS), of=("round_log",)),
    "api_rejected_lines": Opened((ROUNDS,), of=("round_log",)),
    "api_round_log_file": Opened((ROUNDS,), of=("round_log",)),
    "api_round": Opened((ROUNDS,)),
    "api_rounds": Opened((ROUNDS,)),
    "api_dashboard": Opened((CASES,)),
    "api_watch": Opened((CASES,)),
    "api_issues": Opened((FINDINGS,)),
    "api_issue": Opened((FINDINGS,), of=("issue",)),
    "api_findings": Opened((FINDINGS,)),
    "api_replays": Opened((FINDINGS, REPLAYS)),
    "api_replay": Opened((FINDINGS, REPLAYS), of=("replay",)),
    "api_findings_of_replay": Opened((FINDINGS,), of=("replay",)),
    "api_cancel_replay": Opened((REPLAYS,), "post", ("replay",)),
    "api_move_replay": Opened((REPLAYS,), "post", ("replay",)),
    "api_retry_replay": Opened((REPLAYS,), "post", ("replay",)),
    "api_compare_replays": Opened((FINDINGS,), "post", ("replay",)),
    "api_comparison": Opened((FINDINGS,), of=("comparison",)),
    "api_reports": Opened((REPORTS,)),
    "api_report": Opened((REPORTS,), of=("report",)),
    "api_report_file": Opened((REPORTS,), of=("report",)),
    "api_report_data": Opened((REPORTS,), of=("report",)),
    "api_report_table": Opened((REPORTS,), of=("report", "report_table")),
}
