"""Who may do what: one table. Pages, API and services ask `may`; `docs/` prints the table.

A role of a commission unit reaches every party but those in which its holder has a role as well;
any other role reaches its own party alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import TextChoices

from compliance.choices import ROLES_OF_KIND, PartyKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.models import ApiKey, Membership, Party


class Action(TextChoices):
    """Something that only some may do."""

    SEE_PEOPLE = "see_people", "See the people of a party and their roles"
    MANAGE_PEOPLE = "manage_people", "Invite people, give and end roles"
    REGISTER_PARTY = "register_party", "Register a party"
    READ_EVENTS = "read_events", "Read the events that concern a party"
    READ_EVERY_EVENT = "read_every_event", "Read the whole event log"
    EXPORT_EVENTS = "export_events", "Export events with their proofs"
    SEE_FILINGS = "see_filings", "See documents, games and requests of a party"
    SEE_CONTROLS = "see_controls", "See internal controls and what is in force"
    FILE_DOCUMENTS = "file_documents", "File documents"
    FILE_GAMES = "file_games", "File games and their rules"
    REQUEST_APPROVAL = "request_approval", "Ask for approval of a game"
    REVIEW_GAMES = "review_games", "Review requests for approval"
    COMMENT_ON_REQUESTS = "comment_on_requests", "Comment on requests for approval"
    REVIEW_INTERESTS = "review_interests", "Review substantial interests"
    APPROVE_GAMES = "approve_games", "Approve, deny, concur or object; withdraw approvals"
    OBJECT_TO_WITHDRAWAL = "object_to_withdrawal", "Object to the withdrawal of one's approval"
    ANSWER_CONDITIONS = "answer_conditions", "Say how a condition of one's approval is met"
    DECIDE_AS_AGENCY = "decide_as_agency", "Decide as the tribe's gaming agency"
    SEE_QUEUES = "see_queues", "See which filings wait for the commission, and note inside"
    ASSIGN_FILINGS = "assign_filings", "Give a filing that waits to somebody, by a day"
    WRITE_CONTROLS = "write_controls", "Write internal controls"
    SUBMIT_CONTROLS = "submit_controls", "Submit and withdraw internal controls"
    REVIEW_CONTROLS = "review_controls", "Review internal controls and return them"
    COMMENT_ON_CONTROLS = "comment_on_controls", "Comment on internal controls"
    APPROVE_CONTROLS = "approve_controls", "Approve or deny internal controls"
    VISIT = "visit", "Verify on a visit that what was approved is in place"
    KEEP_LICENCES = "keep_licences", "Grant, suspend and end licences; enter compacts"
    SEE_REPORTS = "see_reports", "See the reports that concern a party"
    SEND_REPORTS = "send_reports", "Have reports sent to a party's people and folder"
    KEEP_LAW = "keep_law", "Add values of the law and verify old ones"
    HAND_IN_ROUNDS = "hand_in_rounds", "Hand in round logs and corrections"
    SEE_ROUNDS = "see_rounds", "See round logs, receipts and rejected lines of a party"
    REPLAY = "replay", "Have rounds judged again, cancel it, set its priority"
    SEE_FINDINGS = "see_findings", "See every finding, released or not"
    SEE_RELEASED = "see_released", "See the findings that were released to a party"
    RELEASE_FINDINGS = "release_findings", "Release findings and reports to an operator"
    REVIEW_FINDINGS = "review_findings", "Claim, review and decide what was found; second decisions"
    ASSIGN_FINDINGS = "assign_findings", "Assign findings to agents, arrange cover for the absent"
    ANSWER_QUESTIONS = (
        "answer_questions",
        "Answer what the commission asks about a released finding",
    )
    CONFIRM_RESTITUTION = "confirm_restitution", "Confirm what was paid to a player since"
    DISCLOSE = "disclose", "Report an irregularity of one's own"
    SEE_DISCLOSURES = (
        "see_disclosures",
        "See what an operator reports of its own accord, and what it paid to players",
    )
    KEEP_CASES = "keep_cases", "Open cases, gather evidence, recommend a level"

    KEEP_HOLDS = "keep_holds", "Place and lift legal holds"
    MANAGE_KEYS = "manage_keys", "Make keys for programs, within what one may do; revoke any"

    SEE_OPERATIONS = "see_operations", "See how each part of the system is doing"
    MEND_OPERATIONS = "mend_operations", "Send mails of the system again, or give them up"


ROLES_OF_ACTION: dict[Action, frozenset[Role]] = {
    Action.SEE_PEOPLE: frozenset(Role) - {Role.OPERATOR_CLERK},
    Action.MANAGE_PEOPLE: frozenset(
        {Role.OPERATOR_MANAGER, Role.SUPPLIER, Role.AGENCY_REVIEWER, Role.ADMINISTRATOR}
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
    Action.KEEP_LICENCES: frozenset({Role.LICENSING}),
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
    Action.HAND_IN_ROUNDS: frozenset({Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}),
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
    Action.MEND_OPERATIONS: frozenset({Role.SUPERVISOR, Role.DIRECTOR, Role.ADMINISTRATOR}),
}


class KeyScope(TextChoices):
    """What a key for a program is good for; a key has one or more."""

    HAND_IN = "rounds:write", "Hand in round logs and corrections"
    ROUNDS = "rounds:read", "Read round logs, receipts, rejected lines, rounds"
    FINDINGS = "findings:read", "Read findings, patterns, and the commission's replays"
    CASES = "cases:read", "Read the commission's desk, decisions, days, cases and visits"
    REPLAYS = "replays:write", "Begin, move and cancel replays"
    CONTROLS = "controls:read", "Ask what is in force"
    REPORTS = "reports:read", "Read reports and their files"
    FILE_CONTROLS = "controls:write", "Write, check and submit internal controls"
    FILINGS = "filings:read", "Read documents, games, requests, licences, what waits"
    DOCUMENTS = "documents:write", "File documents"
    ANSWERS = "answers:write", "Answer what the commission asks"
    DISCLOSURES = "disclosures:write", "Report irregularities of one's own, read such reports"
    RESTITUTION = "restitution:write", "Confirm what was paid to players, read what is owed"
    ORDERS = "reports:write", "Order reports"
    WEBHOOKS = "webhooks:write", "Make and end webhooks, see what they were told"
    EVENTS = "events:read", "Read the event log"


ACTIONS_OF_SCOPE: dict[KeyScope, frozenset[Action]] = {
    KeyScope.HAND_IN: frozenset({Action.HAND_IN_ROUNDS}),
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
    # With filings: what becomes of them is told.
    KeyScope.WEBHOOKS: frozenset({Action.MANAGE_KEYS, Action.SEE_FILINGS}),
    KeyScope.EVENTS: frozenset({Action.READ_EVENTS, Action.READ_EVERY_EVENT}),
}

COMMISSION_ROLES = ROLES_OF_KIND[PartyKind.COMMISSION_UNIT]

# Agents, whoever approves, and administrators sign in with a second factor, always.
SECOND_FACTOR_ROLES = COMMISSION_ROLES | {Role.AGENCY_REVIEWER, Role.OPERATOR_MANAGER}


def may(memberships: Iterable[Membership], action: Action, party: Party | None = None) -> bool:
    """Whether roles held now allow an action, on a party where one is given.

    On a party outside that somebody belongs to they do nothing for the commission.
    """
    allowed = ROLES_OF_ACTION[action]
    now = [held for held in memberships if held.ended is None]
    own = {held.party_id for held in now if held.role not in COMMISSION_ROLES}
    return any(
        held.role in allowed
        and (
            party is None
            or held.party_id == party.pk
            or (held.role in COMMISSION_ROLES and party.pk not in own)
        )
        for held in now
    )


def needs_second_factor(memberships: Iterable[Membership]) -> bool:
    """Whether a role held now asks for a second factor at every sign-in."""
    return any(held.ended is None and held.role in SECOND_FACTOR_ROLES for held in memberships)


def roles_for(action: Action, kind: PartyKind) -> frozenset[Role]:
    """The roles in a party of a kind that allow an action."""
    return ROLES_OF_ACTION[action] & ROLES_OF_KIND[kind]


def key_may(key: ApiKey, action: Action, party: Party | None = None) -> bool:
    """Whether a program's key allows an action, on a party where one is given.

    A key does for its party what one of its scopes names and somebody there could do; one of the
    commission reaches every party, as its people do.
    """
    kind = PartyKind(key.party.kind)
    named = any(action in ACTIONS_OF_SCOPE[KeyScope(scope)] for scope in key.scopes)
    reaches = party is None or party.pk == key.party_id or kind == PartyKind.COMMISSION_UNIT
    return named and reaches and bool(roles_for(action, kind))
