"""The permission table. Pages, API and services call `may`; `docs/` prints the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import TextChoices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.access.models import ApiKey, Membership, Party


class PartyKind(TextChoices):
    """The legal type of a party."""

    COMMISSION_UNIT = "commission_unit", "Commission unit"
    CARD_ROOM = "card_room", "Card room"
    TRIBAL_OPERATION = "tribal_operation", "Tribal gaming operation"
    TRIBAL_AGENCY = "tribal_agency", "Tribal gaming agency"
    SUPPLIER = "supplier", "Supplier"


class Role(TextChoices):
    """A person's role in a party."""

    OPERATOR_MANAGER = "operator_manager", "Compliance manager"
    OPERATOR_CLERK = "operator_clerk", "Clerk"
    SUPPLIER = "supplier", "Supplier's representative"
    AGENCY_REVIEWER = "agency_reviewer", "Agency reviewer"
    AGENT = "agent", "Special agent"
    SUPERVISOR = "supervisor", "Special agent supervisor"
    LICENSING = "licensing", "Licensing"
    FINANCIAL_INVESTIGATIONS = "financial_investigations", "Financial investigations"
    DIRECTOR = "director", "Director"
    AUDITOR = "auditor", "Auditor"
    ADMINISTRATOR = "administrator", "Administrator"


OPERATOR_KINDS = frozenset({PartyKind.CARD_ROOM, PartyKind.TRIBAL_OPERATION})

ROLES_OF_KIND: dict[PartyKind, frozenset[Role]] = {
    PartyKind.COMMISSION_UNIT: frozenset(
        {
            Role.AGENT,
            Role.SUPERVISOR,
            Role.LICENSING,
            Role.FINANCIAL_INVESTIGATIONS,
            Role.DIRECTOR,
            Role.AUDITOR,
            Role.ADMINISTRATOR,
        }
    ),
    PartyKind.CARD_ROOM: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    PartyKind.TRIBAL_OPERATION: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    PartyKind.TRIBAL_AGENCY: frozenset({Role.AGENCY_REVIEWER}),
    PartyKind.SUPPLIER: frozenset({Role.SUPPLIER}),
}


class Action(TextChoices):
    """An action that needs permission."""

    SEE_OWN_ACCOUNT = "see_own_account", "See your own account, stop a reset of your second factor"
    SEE_PEOPLE = "see_people", "See the people of a party and their roles"
    MANAGE_PEOPLE = "manage_people", "Invite people, give and end roles"
    CLOSE_ACCOUNTS = "close_accounts", "Close and reopen people's accounts"
    CONFIRM_ACCESS = "confirm_access", "Confirm access changes that another person proposed"
    REGISTER_PARTY = "register_party", "Register a party"
    READ_EVENTS = "read_events", "Read the events that concern a party"
    READ_EVERY_EVENT = "read_every_event", "Read the whole event log"
    EXPORT_EVENTS = "export_events", "Export events with their proofs"
    SEE_FILINGS = "see_filings", "See documents, games and requests of a party"
    SEE_CONTROLS = "see_controls", "See internal controls and what is in effect"
    FILE_DOCUMENTS = "file_documents", "File documents"
    FILE_GAMES = "file_games", "File games and their rules"
    REQUEST_APPROVAL = "request_approval", "Ask for approval of a game"
    REVIEW_GAMES = "review_games", "Review requests for approval"
    COMMENT_ON_REQUESTS = "comment_on_requests", "Comment on requests for approval"
    REVIEW_INTERESTS = "review_interests", "Review substantial interests"
    APPROVE_GAMES = "approve_games", "Approve, deny, concur or object; withdraw approvals"
    OBJECT_TO_WITHDRAWAL = (
        "object_to_withdrawal",
        "Object to the withdrawal of your party's approval",
    )
    ANSWER_CONDITIONS = "answer_conditions", "Say how a condition of your party's approval is met"
    DECIDE_AS_AGENCY = "decide_as_agency", "Decide as the tribe's gaming agency"
    SEE_QUEUES = "see_queues", "See the commission's filing queues, and write internal notes"
    ASSIGN_FILINGS = "assign_filings", "Assign a pending filing, with a due date"
    WRITE_CONTROLS = "write_controls", "Write internal controls"
    SUBMIT_CONTROLS = "submit_controls", "Submit and withdraw internal controls"
    REVIEW_CONTROLS = "review_controls", "Review internal controls and return them"
    COMMENT_ON_CONTROLS = "comment_on_controls", "Comment on internal controls"
    APPROVE_CONTROLS = "approve_controls", "Approve or deny internal controls"
    VISIT = "visit", "Verify on a visit that what was approved is in place"
    KEEP_LICENSES = "keep_licenses", "Grant, suspend and end licenses; enter compacts"
    SEE_REPORTS = "see_reports", "See the reports that concern a party"
    SEND_REPORTS = "send_reports", "Subscribe a party's people and folder to reports"
    KEEP_LAW = "keep_law", "Add legal limits, and verify existing ones"
    CONFIRM_ACTS = "confirm_acts", "Propose or confirm acts that take two people"
    SUBMIT_ROUNDS = "submission_rounds", "Submit round logs and corrections"
    SEE_ROUNDS = "see_rounds", "See round logs, receipts and rejected lines of a party"
    REPLAY = "replay", "Start, cancel and prioritize replays"
    SEE_FINDINGS = "see_findings", "See every finding, released or not"
    SEE_RELEASED = "see_released", "See the findings that were released to a party"
    RELEASE_FINDINGS = "release_findings", "Release findings and reports to an operator"
    REVIEW_FINDINGS = "review_findings", "Review and decide issues, and give second approvals"
    ASSIGN_FINDINGS = "assign_findings", "Assign issues to agents, and arrange cover for absences"
    ANSWER_QUESTIONS = (
        "answer_questions",
        "Answer the commission's questions about released issues",
    )
    CONFIRM_RESTITUTION = "confirm_restitution", "Confirm restitution payments to players"
    DISCLOSE = "disclose", "Report an irregularity to the commission"
    SEE_DISCLOSURES = (
        "see_disclosures",
        "See operators' reports of irregularities, and restitution payments",
    )
    KEEP_CASES = "keep_cases", "Open cases, gather evidence, recommend a level"

    KEEP_HOLDS = "keep_holds", "Place and lift legal holds"
    MANAGE_KEYS = (
        "manage_keys",
        "Create API keys with your own permissions; revoke any of your party's keys",
    )

    SEE_OPERATIONS = "see_operations", "See the status of the system"
    RETRY_EMAIL = "retry_email", "Send failed email again, or give it up"


ROLES_OF_ACTION: dict[Action, frozenset[Role]] = {
    Action.SEE_OWN_ACCOUNT: frozenset(Role),
    Action.SEE_PEOPLE: frozenset(Role) - {Role.OPERATOR_CLERK},
    Action.MANAGE_PEOPLE: frozenset(
        {Role.OPERATOR_MANAGER, Role.SUPPLIER, Role.AGENCY_REVIEWER, Role.ADMINISTRATOR}
    ),
    Action.CLOSE_ACCOUNTS: frozenset({Role.ADMINISTRATOR}),
    # More roles than can propose: otherwise, in an agency with two administrators, nobody could
    # confirm that one of them leaves, and no unit without an administrator could confirm a reset.
    Action.CONFIRM_ACCESS: frozenset(
        {
            Role.OPERATOR_MANAGER,
            Role.SUPPLIER,
            Role.AGENCY_REVIEWER,
            Role.SUPERVISOR,
            Role.DIRECTOR,
            Role.ADMINISTRATOR,
        }
    ),
    Action.REGISTER_PARTY: frozenset({Role.LICENSING, Role.ADMINISTRATOR}),
    Action.READ_EVENTS: frozenset(Role) - {Role.OPERATOR_CLERK, Role.ADMINISTRATOR},
    Action.READ_EVERY_EVENT: frozenset({Role.SUPERVISOR, Role.DIRECTOR, Role.AUDITOR}),
    Action.EXPORT_EVENTS: frozenset({Role.DIRECTOR, Role.AUDITOR}),
    Action.SEE_FILINGS: frozenset(Role) - {Role.ADMINISTRATOR},
    Action.SEE_CONTROLS: frozenset(Role) - {Role.SUPPLIER, Role.ADMINISTRATOR},
    Action.FILE_DOCUMENTS: frozenset(
        {
            Role.OPERATOR_MANAGER,
            Role.OPERATOR_CLERK,
            Role.SUPPLIER,
            Role.AGENCY_REVIEWER,
            Role.LICENSING,
        }
    ),
    Action.FILE_GAMES: frozenset({Role.SUPPLIER, Role.LICENSING}),
    Action.REQUEST_APPROVAL: frozenset({Role.SUPPLIER, Role.OPERATOR_MANAGER, Role.LICENSING}),
    Action.REVIEW_GAMES: frozenset({Role.LICENSING}),
    Action.COMMENT_ON_REQUESTS: frozenset(Role) - {Role.ADMINISTRATOR, Role.AUDITOR},
    Action.REVIEW_INTERESTS: frozenset({Role.FINANCIAL_INVESTIGATIONS}),
    Action.APPROVE_GAMES: frozenset({Role.LICENSING, Role.DIRECTOR}),
    Action.OBJECT_TO_WITHDRAWAL: frozenset({Role.OPERATOR_MANAGER, Role.SUPPLIER}),
    Action.ANSWER_CONDITIONS: frozenset({Role.OPERATOR_MANAGER, Role.SUPPLIER}),
    Action.DECIDE_AS_AGENCY: frozenset({Role.AGENCY_REVIEWER}),
    Action.SEE_QUEUES: frozenset(
        {
            Role.AGENT,
            Role.SUPERVISOR,
            Role.LICENSING,
            Role.FINANCIAL_INVESTIGATIONS,
            Role.DIRECTOR,
        }
    ),
    Action.ASSIGN_FILINGS: frozenset({Role.SUPERVISOR, Role.LICENSING, Role.DIRECTOR}),
    Action.WRITE_CONTROLS: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    Action.SUBMIT_CONTROLS: frozenset({Role.OPERATOR_MANAGER}),
    Action.REVIEW_CONTROLS: frozenset({Role.AGENT, Role.SUPERVISOR, Role.LICENSING}),
    Action.COMMENT_ON_CONTROLS: frozenset(
        {
            Role.OPERATOR_MANAGER,
            Role.OPERATOR_CLERK,
            Role.AGENT,
            Role.SUPERVISOR,
            Role.LICENSING,
        }
    ),
    Action.APPROVE_CONTROLS: frozenset({Role.SUPERVISOR, Role.LICENSING, Role.DIRECTOR}),
    Action.VISIT: frozenset({Role.AGENT, Role.SUPERVISOR}),
    Action.KEEP_LICENSES: frozenset({Role.LICENSING}),
    Action.SEE_REPORTS: frozenset(Role) - {Role.ADMINISTRATOR},
    Action.SEND_REPORTS: frozenset(
        {
            Role.OPERATOR_MANAGER,
            Role.SUPPLIER,
            Role.AGENCY_REVIEWER,
            Role.SUPERVISOR,
            Role.DIRECTOR,
        }
    ),
    Action.KEEP_LAW: frozenset({Role.LICENSING, Role.DIRECTOR}),
    Action.CONFIRM_ACTS: frozenset({Role.AGENT, Role.SUPERVISOR, Role.LICENSING, Role.DIRECTOR}),
    Action.SUBMIT_ROUNDS: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    Action.SEE_ROUNDS: frozenset(Role) - {Role.SUPPLIER, Role.AGENCY_REVIEWER, Role.ADMINISTRATOR},
    Action.REPLAY: frozenset({Role.AGENT, Role.SUPERVISOR}),
    Action.SEE_FINDINGS: ROLES_OF_KIND[PartyKind.COMMISSION_UNIT] - {Role.ADMINISTRATOR},
    Action.SEE_RELEASED: frozenset(
        {Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK, Role.AGENCY_REVIEWER}
    )
    | (ROLES_OF_KIND[PartyKind.COMMISSION_UNIT] - {Role.ADMINISTRATOR}),
    Action.RELEASE_FINDINGS: frozenset({Role.AGENT, Role.SUPERVISOR}),
    Action.REVIEW_FINDINGS: frozenset({Role.AGENT, Role.SUPERVISOR}),
    Action.ASSIGN_FINDINGS: frozenset({Role.SUPERVISOR}),
    Action.ANSWER_QUESTIONS: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    Action.CONFIRM_RESTITUTION: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    Action.DISCLOSE: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
    Action.SEE_DISCLOSURES: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK})
    | (ROLES_OF_KIND[PartyKind.COMMISSION_UNIT] - {Role.ADMINISTRATOR}),
    Action.KEEP_CASES: frozenset({Role.AGENT, Role.SUPERVISOR}),
    Action.KEEP_HOLDS: frozenset({Role.SUPERVISOR, Role.DIRECTOR}),
    Action.MANAGE_KEYS: frozenset(
        {
            Role.OPERATOR_MANAGER,
            Role.SUPPLIER,
            Role.AGENCY_REVIEWER,
            Role.SUPERVISOR,
            Role.ADMINISTRATOR,
        }
    ),
    Action.SEE_OPERATIONS: ROLES_OF_KIND[PartyKind.COMMISSION_UNIT],
    Action.RETRY_EMAIL: frozenset({Role.SUPERVISOR, Role.DIRECTOR, Role.ADMINISTRATOR}),
}


class KeyScope(TextChoices):
    """What an API key may be used for; a key has one or more scopes."""

    SUBMISSION = "rounds:write", "Submit round logs and corrections"
    ROUNDS = "rounds:read", "Read round logs, receipts, rejected lines, rounds"
    FINDINGS = "findings:read", "Read findings, issues, and the commission's replays"
    CASES = "cases:read", "Read the commission's queue, decisions, days, cases and visits"
    REPLAYS = "replays:write", "Start, prioritize and cancel replays"
    CONTROLS = "controls:read", "Look up what is in effect"
    REPORTS = "reports:read", "Read reports and their files"
    FILE_CONTROLS = "controls:write", "Write, check and submit internal controls"
    FILINGS = "filings:read", "Read documents, games, requests, licenses and filing queues"
    DOCUMENTS = "documents:write", "File documents"
    ANSWERS = "answers:write", "Answer the commission's questions"
    DISCLOSURES = "disclosures:write", "Report irregularities, and read those reports"
    RESTITUTION = "restitution:write", "Confirm restitution payments, and read what is owed"
    ORDERS = "reports:write", "Order reports"
    WEBHOOKS = "webhooks:write", "Create and end webhooks, and see their deliveries"
    EVENTS = "events:read", "Read the event log"


ACTIONS_OF_SCOPE: dict[KeyScope, frozenset[Action]] = {
    KeyScope.SUBMISSION: frozenset({Action.SUBMIT_ROUNDS}),
    KeyScope.ROUNDS: frozenset({Action.SEE_ROUNDS}),
    KeyScope.FINDINGS: frozenset({Action.SEE_RELEASED, Action.SEE_FINDINGS}),
    KeyScope.CASES: frozenset({Action.SEE_FINDINGS}),
    KeyScope.REPLAYS: frozenset({Action.REPLAY}),
    KeyScope.CONTROLS: frozenset({Action.SEE_CONTROLS}),
    KeyScope.REPORTS: frozenset({Action.SEE_REPORTS}),
    KeyScope.FILE_CONTROLS: frozenset(
        {
            Action.SEE_CONTROLS,
            Action.WRITE_CONTROLS,
            Action.SUBMIT_CONTROLS,
            Action.COMMENT_ON_CONTROLS,
        }
    ),
    KeyScope.FILINGS: frozenset({Action.SEE_FILINGS, Action.SEE_QUEUES}),
    KeyScope.DOCUMENTS: frozenset({Action.FILE_DOCUMENTS}),
    KeyScope.ANSWERS: frozenset({Action.SEE_RELEASED, Action.ANSWER_QUESTIONS}),
    KeyScope.DISCLOSURES: frozenset({Action.SEE_DISCLOSURES, Action.DISCLOSE}),
    KeyScope.RESTITUTION: frozenset({Action.SEE_DISCLOSURES, Action.CONFIRM_RESTITUTION}),
    KeyScope.ORDERS: frozenset({Action.SEE_REPORTS}),
    # Includes filings: webhooks report what happens to them.
    KeyScope.WEBHOOKS: frozenset({Action.MANAGE_KEYS, Action.SEE_FILINGS}),
    KeyScope.EVENTS: frozenset({Action.READ_EVENTS, Action.READ_EVERY_EVENT}),
}

COMMISSION_ROLES = ROLES_OF_KIND[PartyKind.COMMISSION_UNIT]

# Agents, people who approve, and administrators always sign in with a second factor; with
# SECOND_FACTOR=everyone, so does everyone else.
SECOND_FACTOR_ROLES = COMMISSION_ROLES | {Role.AGENCY_REVIEWER, Role.OPERATOR_MANAGER}


def may(memberships: Iterable[Membership], action: Action, party: Party | None = None) -> bool:
    """Return whether current roles allow an action, on a party if one is given.

    On an outside party that a person belongs to, their commission roles do not count.
    """
    allowed = ROLES_OF_ACTION[action]
    now = [membership for membership in memberships if membership.ended is None]
    own = {membership.party_id for membership in now if membership.role not in COMMISSION_ROLES}
    return any(
        membership.role in allowed
        and (
            party is None
            or membership.party_id == party.pk
            or (membership.role in COMMISSION_ROLES and party.pk not in own)
        )
        for membership in now
    )


def needs_second_factor(memberships: Iterable[Membership]) -> bool:
    """Return whether these roles or the configuration require a second factor at every sign-in."""
    return settings.SECOND_FACTOR == "everyone" or any(
        membership.ended is None and membership.role in SECOND_FACTOR_ROLES
        for membership in memberships
    )


def roles_for(action: Action, kind: PartyKind) -> frozenset[Role]:
    """Return the roles in a party of this kind that allow an action."""
    return ROLES_OF_ACTION[action] & ROLES_OF_KIND[kind]


def key_may(key: ApiKey, action: Action, party: Party | None = None) -> bool:
    """Return whether an API key allows an action, on a party if one is given.

    A key can do for its party what one of its scopes names and a person there could do; a key of
    the commission reaches every party, as its people do.
    """
    kind = PartyKind(key.party.kind)
    named = any(action in ACTIONS_OF_SCOPE[KeyScope(scope)] for scope in key.scopes)
    reaches = party is None or party.pk == key.party_id or kind == PartyKind.COMMISSION_UNIT
    return named and reaches and bool(roles_for(action, kind))
