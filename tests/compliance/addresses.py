"""Every address of the system, and who may reach it: one row each, by the address's name.

A test fails when an address has no row, and tries each row as everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import URLPattern, URLResolver, get_resolver

from audits.review_steps import STEPS
from compliance.permissions import Action

if TYPE_CHECKING:
    from collections.abc import Iterator

ANYONE = "anyone"
SIGNED_IN = "signed in"


@dataclass(frozen=True)
class Row:
    """Who reaches an address; `of` names what of a party stands in it, in order."""

    open_to: str | Action
    method: str = "get"
    of: tuple[str, ...] = ()


ROWS: dict[str, Row] = {
    # the frame and the machine
    "home": Row(ANYONE),
    "status": Row(ANYONE),
    "healthz": Row(ANYONE),
    "readyz": Row(ANYONE),
    "metrics": Row(ANYONE),
    # signing in
    "account_login": Row(ANYONE),
    "account_signup": Row(ANYONE),
    "account_logout": Row(ANYONE),
    "account_inactive": Row(ANYONE),
    "account_reset_password": Row(ANYONE),
    "account_reset_password_done": Row(ANYONE),
    "account_reset_password_from_key": Row(ANYONE),
    "account_reset_password_from_key_done": Row(ANYONE),
    "accept_invitation": Row(ANYONE),
    "mfa_authenticate": Row(ANYONE),
    "openid_connect_login": Row(ANYONE),
    "openid_connect_callback": Row(ANYONE),
    "socialaccount_login_cancelled": Row(ANYONE),
    "socialaccount_login_error": Row(ANYONE),
    "mfa_login_webauthn": Row(ANYONE),
    # one's own account
    "account": Row(SIGNED_IN),
    "account_reauthenticate": Row(SIGNED_IN),
    "account_change_password": Row(SIGNED_IN),
    "mfa_index": Row(SIGNED_IN),
    "mfa_reauthenticate": Row(SIGNED_IN),
    "mfa_activate_totp": Row(SIGNED_IN),
    "mfa_deactivate_totp": Row(SIGNED_IN),
    "mfa_view_recovery_codes": Row(SIGNED_IN),
    "mfa_generate_recovery_codes": Row(SIGNED_IN),
    "mfa_download_recovery_codes": Row(SIGNED_IN),
    "mfa_list_webauthn": Row(SIGNED_IN),
    "mfa_add_webauthn": Row(SIGNED_IN),
    "mfa_reauthenticate_webauthn": Row(SIGNED_IN),
    "mfa_remove_webauthn": Row(SIGNED_IN),
    "mfa_edit_webauthn": Row(SIGNED_IN),
    "usersessions_list": Row(SIGNED_IN),
    # what one is told
    "notices": Row(SIGNED_IN),
    "open_notice": Row(SIGNED_IN),
    "read_notices": Row(SIGNED_IN, "post"),
    "notice_choices": Row(SIGNED_IN),
    "notice_mails": Row(Action.SEE_OPERATIONS),
    "mend_notice_mail": Row(Action.MEND_OPERATIONS, "post"),
    "calendar": Row(SIGNED_IN),
    "make_calendar": Row(SIGNED_IN, "post"),
    "revoke_calendar": Row(SIGNED_IN, "post"),
    "calendar_feed": Row(ANYONE),
    # people
    "parties": Row(SIGNED_IN),
    "register_party": Row(Action.REGISTER_PARTY),
    "people": Row(Action.SEE_PEOPLE, of=("party",)),
    "invite_person": Row(Action.MANAGE_PEOPLE, "post", of=("party",)),
    "withdraw_invitation": Row(Action.MANAGE_PEOPLE, "post", of=("party", "invitation")),
    "end_role": Row(Action.MANAGE_PEOPLE, "post", of=("party", "membership")),
    # programs, and their keys
    "api_viewer": Row(ANYONE),
    "api_description": Row(ANYONE),
    "api_keys": Row(Action.MANAGE_KEYS, of=("party",)),
    "make_api_key": Row(Action.MANAGE_KEYS, "post", of=("party",)),
    "revoke_api_key": Row(Action.MANAGE_KEYS, "post", of=("party", "api_key")),
    "webhooks": Row(Action.MANAGE_KEYS, of=("party",)),
    "make_webhook": Row(Action.MANAGE_KEYS, "post", of=("party",)),
    "end_webhook": Row(Action.MANAGE_KEYS, "post", of=("party", "webhook")),
    "resume_webhook": Row(Action.MANAGE_KEYS, "post", of=("party", "webhook")),
    "test_webhook": Row(Action.MANAGE_KEYS, "post", of=("party", "webhook")),
    "tell_webhook_again": Row(Action.MANAGE_KEYS, "post", of=("party", "webhook_delivery")),
    # what must not be removed
    "holds": Row(Action.KEEP_HOLDS),
    "place_hold": Row(Action.KEEP_HOLDS, "post"),
    "lift_hold": Row(Action.KEEP_HOLDS, "post", of=("hold",)),
    # filings, and what is in force by them
    "in_force": Row(Action.SEE_CONTROLS),
    "controls_versions": Row(Action.SEE_CONTROLS),
    "controls_draft": Row(Action.WRITE_CONTROLS, of=("party",)),
    "controls_submit": Row(Action.SUBMIT_CONTROLS, of=("party",)),
    "controls_section": Row(Action.WRITE_CONTROLS, of=("party", "section")),
    "controls_compare": Row(Action.SEE_CONTROLS, of=("party",)),
    "controls_version": Row(Action.SEE_CONTROLS, of=("controls_version",)),
    "controls_comment": Row(Action.COMMENT_ON_CONTROLS, "post", of=("controls_version",)),
    "controls_approve": Row(Action.APPROVE_CONTROLS, "post", of=("controls_version",)),
    "controls_return": Row(Action.REVIEW_CONTROLS, "post", of=("controls_version",)),
    "controls_deny": Row(Action.APPROVE_CONTROLS, "post", of=("controls_version",)),
    "controls_withdraw": Row(Action.SUBMIT_CONTROLS, "post", of=("controls_version",)),
    "controls_visit": Row(Action.VISIT, "post", of=("controls_version",)),
    "controls_notice": Row(Action.APPROVE_CONTROLS, "post", of=("controls_version",)),
    "controls_objection": Row(Action.OBJECT_TO_WITHDRAWAL, "post", of=("controls_version",)),
    "controls_end": Row(Action.APPROVE_CONTROLS, "post", of=("controls_version",)),
    "controls_drop": Row(Action.APPROVE_CONTROLS, "post", of=("controls_version",)),
    "filings": Row(Action.SEE_QUEUES),
    "filing": Row(Action.SEE_QUEUES, of=("controls_version",)),
    "take_filing": Row(Action.SEE_QUEUES, "post", of=("controls_version",)),
    "give_filing": Row(Action.ASSIGN_FILINGS, "post", of=("controls_version",)),
    "put_filing_back": Row(Action.SEE_QUEUES, "post", of=("controls_version",)),
    "note_filing": Row(Action.SEE_QUEUES, "post", of=("controls_version",)),
    "requests": Row(Action.SEE_FILINGS),
    "new_request": Row(Action.REQUEST_APPROVAL),
    "request": Row(Action.SEE_FILINGS, of=("request",)),
    "request_checklist": Row(Action.DECIDE_AS_AGENCY, "post", of=("request",)),
    "request_comment": Row(Action.COMMENT_ON_REQUESTS, "post", of=("request",)),
    "request_miss": Row(Action.REVIEW_GAMES, "post", of=("request",)),
    "request_supply": Row(Action.REQUEST_APPROVAL, "post", of=("request",)),
    "request_close": Row(Action.REVIEW_GAMES, "post", of=("request",)),
    "request_review": Row(Action.REVIEW_GAMES, "post", of=("request",)),
    "request_ask_interests": Row(Action.REVIEW_GAMES, "post", of=("request",)),
    "request_clear_interests": Row(Action.REVIEW_INTERESTS, "post", of=("request",)),
    "request_approve": Row(Action.APPROVE_GAMES, "post", of=("request",)),
    "request_deny": Row(Action.APPROVE_GAMES, "post", of=("request",)),
    "request_approve_as_agency": Row(Action.DECIDE_AS_AGENCY, "post", of=("request",)),
    "request_deny_as_agency": Row(Action.DECIDE_AS_AGENCY, "post", of=("request",)),
    "request_seek_concurrence": Row(Action.DECIDE_AS_AGENCY, "post", of=("request",)),
    "request_concur": Row(Action.APPROVE_GAMES, "post", of=("request",)),
    "request_object": Row(Action.APPROVE_GAMES, "post", of=("request",)),
    "request_take_back": Row(Action.REQUEST_APPROVAL, "post", of=("request",)),
    "approval_condition": Row(Action.REVIEW_GAMES, "post", of=("approval", "condition")),
    "answer_condition": Row(Action.ANSWER_CONDITIONS, "post", of=("approval", "condition")),
    "approval_notice": Row(Action.APPROVE_GAMES, "post", of=("approval",)),
    "approval_objection": Row(Action.OBJECT_TO_WITHDRAWAL, "post", of=("approval",)),
    "approval_end": Row(Action.APPROVE_GAMES, "post", of=("approval",)),
    "approval_drop": Row(Action.APPROVE_GAMES, "post", of=("approval",)),
    "games": Row(Action.SEE_FILINGS),
    "new_game": Row(Action.FILE_GAMES),
    "game": Row(Action.SEE_FILINGS, of=("game",)),
    "new_rule_version": Row(Action.FILE_GAMES, of=("game",)),
    "rule_version": Row(Action.SEE_FILINGS, of=("rule_version",)),
    "documents": Row(Action.SEE_FILINGS),
    "new_document": Row(Action.FILE_DOCUMENTS),
    "document": Row(Action.SEE_FILINGS, of=("document",)),
    "new_document_version": Row(Action.FILE_DOCUMENTS, "post", of=("document",)),
    "show_document": Row(Action.FILE_DOCUMENTS, "post", of=("document",)),
    "compare_document": Row(Action.SEE_FILINGS, of=("document",)),
    "document_version": Row(Action.SEE_FILINGS, of=("document_version",)),
    "document_file": Row(Action.SEE_FILINGS, of=("document_version", "file")),
    "licences": Row(Action.SEE_FILINGS),
    "licence": Row(Action.SEE_FILINGS, of=("licence",)),
    "change_licence": Row(Action.KEEP_LICENCES, "post", of=("licence",)),
    "grant_licence": Row(Action.KEEP_LICENCES),
    "enter_compact": Row(Action.KEEP_LICENCES),
    "add_compact_value": Row(Action.KEEP_LICENCES),
    "add_compact_item": Row(Action.KEEP_LICENCES),
    "law": Row(SIGNED_IN),
    "add_law_value": Row(Action.KEEP_LAW, "post", of=("law_rule",)),
    "verify_law": Row(Action.KEEP_LAW, "post", of=("law_rule",)),
    # round logs
    "rounds": Row(Action.SEE_ROUNDS),
    "find_round": Row(Action.SEE_ROUNDS),
    "round": Row(Action.SEE_ROUNDS, of=("party", "round")),
    "hand_in": Row(Action.HAND_IN_ROUNDS),
    "begin_hand_in": Row(Action.HAND_IN_ROUNDS, "post"),
    "hand_in_run": Row(Action.SEE_ROUNDS, of=("hand_in",)),
    "hand_in_pieces": Row(Action.HAND_IN_ROUNDS, of=("hand_in",)),
    "hand_in_piece": Row(Action.HAND_IN_ROUNDS, "post", of=("hand_in", "piece")),
    "finish_hand_in": Row(Action.HAND_IN_ROUNDS, "post", of=("hand_in",)),
    "give_up_hand_in": Row(Action.HAND_IN_ROUNDS, "post", of=("hand_in",)),
    "round_log": Row(Action.SEE_ROUNDS, of=("round_log",)),
    "round_log_proof": Row(Action.SEE_ROUNDS, of=("round_log",)),
    "rejected_lines": Row(Action.SEE_ROUNDS, of=("round_log",)),
    "log_line": Row(Action.SEE_ROUNDS, of=("round_log", "line")),
    "round_log_file": Row(Action.SEE_ROUNDS, of=("round_log",)),
    # the desk, and its help
    "work": Row(Action.SEE_FINDINGS),
    "export_work": Row(Action.SEE_FINDINGS),
    "work_on_many": Row(Action.REVIEW_FINDINGS, "post"),
    "save_filter": Row(Action.SEE_FINDINGS, "post"),
    "remove_filter": Row(Action.SEE_FINDINGS, "post"),
    "cover": Row(Action.REVIEW_FINDINGS),
    "end_cover": Row(Action.REVIEW_FINDINGS, "post"),
    "deciding": Row(Action.SEE_FINDINGS),
    "glossary": Row(SIGNED_IN),
    # findings by their cause
    "patterns": Row(Action.SEE_RELEASED),
    "export_patterns": Row(Action.SEE_RELEASED),
    "give_pattern": Row(Action.REVIEW_FINDINGS, "post", of=("pattern",)),
    "escalate_pattern": Row(Action.REVIEW_FINDINGS, "post", of=("pattern",)),
    "pattern": Row(Action.SEE_RELEASED, of=("pattern",)),
    "claim_pattern": Row(Action.REVIEW_FINDINGS, "post", of=("pattern",)),
    "release_pattern": Row(Action.RELEASE_FINDINGS, "post", of=("pattern",)),
    "answer_question": Row(Action.ANSWER_QUESTIONS, "post", of=("pattern",)),
    "note_pattern": Row(Action.REVIEW_FINDINGS, "post", of=("pattern",)),
    "second_decision": Row(Action.REVIEW_FINDINGS, "post", of=("pattern",)),
    "refuse_decision": Row(Action.REVIEW_FINDINGS, "post", of=("pattern",)),
    **{f"pattern_{name}": Row(Action.REVIEW_FINDINGS, "post", of=("pattern",)) for name in STEPS},
    # cases
    "cases": Row(Action.SEE_FINDINGS),
    "new_case": Row(Action.KEEP_CASES),
    "case": Row(Action.SEE_FINDINGS, of=("case",)),
    "gather_in_case": Row(Action.KEEP_CASES, "post", of=("case",)),
    "pattern_into_case": Row(Action.KEEP_CASES, "post", of=("case",)),
    "take_out_of_case": Row(Action.KEEP_CASES, "post", of=("case", "case_item")),
    "write_case": Row(Action.KEEP_CASES, "post", of=("case",)),
    "recommend_in_case": Row(Action.KEEP_CASES, "post", of=("case",)),
    "note_on_case": Row(Action.KEEP_CASES, "post", of=("case",)),
    "close_case": Row(Action.KEEP_CASES, "post", of=("case",)),
    "reopen_case": Row(Action.KEEP_CASES, "post", of=("case",)),
    # what operators are shown
    "releases": Row(Action.SEE_FINDINGS),
    "standing_releases": Row(Action.SEE_FINDINGS, of=("party",)),
    "day_release": Row(Action.SEE_FINDINGS, of=("party", "gambling_day")),
    # what players are still to be paid
    "restitution_days": Row(Action.SEE_DISCLOSURES),
    "restitution": Row(Action.SEE_DISCLOSURES, of=("party", "gambling_day")),
    # what operators report of their own accord
    "disclosures": Row(Action.SEE_DISCLOSURES),
    "new_disclosure": Row(Action.DISCLOSE),
    "disclosure": Row(Action.SEE_DISCLOSURES, of=("disclosure",)),
    "disclosure_into_case": Row(Action.KEEP_CASES, "post", of=("disclosure",)),
    "dashboard": Row(Action.SEE_FINDINGS),
    # visits
    "visits": Row(Action.SEE_FINDINGS),
    "begin_visit": Row(Action.VISIT, "post"),
    "visit": Row(Action.SEE_FINDINGS, of=("visit",)),
    "visit_item": Row(Action.SEE_FINDINGS, of=("visit", "visit_item")),
    "end_visit": Row(Action.VISIT, "post", of=("visit",)),
    # replays
    "replays": Row(Action.SEE_FINDINGS),
    "new_replay": Row(Action.REPLAY),
    "replay": Row(Action.SEE_FINDINGS, of=("replay",)),
    "compare_replays": Row(Action.SEE_FINDINGS, of=("replay",)),
    "cancel_replay": Row(Action.REPLAY, "post", of=("replay",)),
    "move_replay": Row(Action.REPLAY, "post", of=("replay",)),
    "retry_replay": Row(Action.REPLAY, "post", of=("replay",)),
    # reports
    "reports": Row(Action.SEE_REPORTS),
    "report": Row(Action.SEE_REPORTS, of=("report",)),
    "report_file": Row(Action.SEE_REPORTS, of=("report",)),
    "report_data": Row(Action.SEE_REPORTS, of=("report",)),
    "report_table": Row(Action.SEE_REPORTS, of=("report", "report_table")),
    "report_about": Row(Action.SEE_FILINGS, of=("report_kind", "approval")),
    "round_sheet": Row(Action.SEE_FINDINGS, of=("round_log", "line")),
    "in_force_on_a_day": Row(Action.SEE_CONTROLS, of=("party",)),
    "reports_seen": Row(Action.SEE_REPORTS, "post"),
    "report_orders": Row(Action.SEE_FINDINGS),
    "order_report": Row(Action.SEE_CONTROLS),
    "retry_order": Row(Action.SEE_FINDINGS, "post", of=("report_order",)),
    "subscriptions": Row(Action.SEE_REPORTS),
    "pause_subscription": Row(Action.SEND_REPORTS, "post", of=("subscription",)),
    "resume_subscription": Row(Action.SEND_REPORTS, "post", of=("subscription",)),
    "end_subscription": Row(Action.SEND_REPORTS, "post", of=("subscription",)),
    "deliveries": Row(Action.SEE_REPORTS),
    "send_again": Row(Action.SEND_REPORTS, "post", of=("delivery",)),
    "give_up_delivery": Row(Action.SEND_REPORTS, "post", of=("delivery",)),
    "verify_report": Row(ANYONE),
    "reading_room": Row(ANYONE),
    "public_game": Row(ANYONE),
    "public_comparison": Row(ANYONE),
    "public_rules": Row(ANYONE),
    "public_letter": Row(ANYONE),
    "public_law": Row(ANYONE),
    "public_law_rule": Row(ANYONE),
    # the event log
    "events": Row(Action.READ_EVENTS),
    "event": Row(Action.READ_EVENTS, of=("event",)),
    "event_proof": Row(Action.READ_EVENTS, of=("event",)),
    "event_content": Row(Action.READ_EVENTS, of=("event",)),
    "object_events": Row(Action.READ_EVENTS, of=("object_type", "object")),
    "export_events": Row(Action.EXPORT_EVENTS, "post"),
    "log_key": Row(ANYONE),
    "log_checkpoint": Row(ANYONE),
    "log_consistency": Row(ANYONE),
    "log_verifier": Row(ANYONE),
}


def addresses(resolver: Any = None) -> Iterator[URLPattern]:
    """Every pattern of the URL configuration."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern)
        else:
            yield pattern
