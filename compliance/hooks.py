"""What compliance registers with its platform when Django starts.

Every process runs this, and few need the pages and checks that it names.
"""

from importlib import import_module

from compliance import health, references
from compliance.access.permissions import OPERATOR_KINDS, Action, PartyKind
from compliance.accreditation import matrix
from compliance.acts import touched
from compliance.event_log.models import SiemCursor, WitnessState
from compliance.events.record import on_record
from compliance.filings.games.models import DefinitionOdds
from compliance.jobs import work
from compliance.lazy import lazy
from compliance.notifications import due_dates
from compliance.notifications.models import NoticeMail, WebhookDelivery
from compliance.notifications.writes import end_calendar, notify_of
from compliance.people.accounts import on_close
from compliance.retention import reads as holds
from compliance.retention import verification
from compliance.ui import frame
from compliance.ui.frame import Group, Place
from compliance.ui.home_parts import Capability, HomePart, register_capability, register_home_part
from compliance.verification import parts

REGISTERED_BY_IMPORT = (
    "compliance.acts.events",
    "compliance.acts.notices",
    "compliance.event_log.events",
    "compliance.events.events",
    "compliance.filings.controls.events",
    "compliance.filings.documents.events",
    "compliance.filings.games.events",
    "compliance.filings.licenses.events",
    "compliance.filings.queues.events",
    "compliance.filings.letters.events",
    "compliance.filings.requests.events",
    "compliance.filings.suppliers.events",
    "compliance.law.events",
    "compliance.notifications.events",
    "compliance.people.events",
    "compliance.retention.events",
    "compliance.people.sign_in_events",  # receives Django's signals
    "compliance.filings.notifications",
    "compliance.notifications.notices",
)
"""Modules with event types and kinds of notifications."""
CONDITIONS = (
    ("event_log", "Event log"),
    ("notices", "Notification emails"),
    ("webhooks", "Webhooks"),
    ("siem", "Events shipped to the SIEM"),
    ("witnesses", "Witnesses of the event log"),
    ("retention", "Retention"),
    ("log_verification", "Log verification"),
    ("full_verification", "Full verification"),
    ("backup", "Backup"),
    ("tested_restore", "Tested restore"),
)
"""Name and title of each condition; `compliance.conditions` checks it."""
VERIFIED = (
    ("states", "current rows"),
    ("database", "triggers and functions of the database"),
    ("software", "code that runs"),
    ("release", "sealed release"),
    ("files", "archive"),
    ("backups", "backups"),
)
"""Name and title of each part of `verify all` besides the log; `compliance.verification` has it."""
FILINGS, RULES, RUNNING = Group.FILINGS, Group.RULES, Group.RUNNING
PLACES = (
    ("Overview", "home", 0, None, None),
    ("Waiting", "filings", 105, Action.SEE_QUEUES, FILINGS),
    ("Controls", "controls_versions", 110, Action.SEE_CONTROLS, FILINGS),
    ("Requests", "requests", 120, Action.SEE_FILINGS, FILINGS),
    ("Games", "games", 130, Action.SEE_FILINGS, FILINGS),
    ("Documents", "documents", 140, Action.SEE_FILINGS, FILINGS),
    ("Licenses", "licenses", 150, Action.SEE_FILINGS, FILINGS),
    ("Equipment", "supplier_records", 155, Action.SEE_FILINGS, FILINGS),
    ("In effect", "in_effect", 160, Action.SEE_CONTROLS, RULES),
    ("Law", "law", 170, Action.SEE_FILINGS, RULES),
    ("Second person", "acts", 175, Action.CONFIRM_ACTS, RULES),
    ("People", "parties", 800, Action.SEE_PEOPLE, RUNNING),
    ("Access changes", "access_changes", 802, Action.CONFIRM_ACCESS, RUNNING),
    ("Legal holds", "holds", 805, Action.KEEP_HOLDS, RUNNING),
    ("Event log", "events", 810, Action.READ_EVENTS, RUNNING),
)
"""Label, route name, sort order, required action and group of each place in the menu."""
HOME_PARTS = (
    HomePart(
        name="access",
        order=10,
        kinds=frozenset(PartyKind),
        action=Action.CONFIRM_ACCESS,
        template="people/access_today.html",
        shows=lazy("compliance.people.access_change_pages.access_today"),
    ),
    HomePart(
        name="oversight",
        order=4,
        kinds={PartyKind.COMMISSION_UNIT},
        action=Action.READ_EVERY_EVENT,
        template="compliance/oversight.html",
        shows=lazy("compliance.mornings.oversight"),
    ),
    HomePart(
        name="administration",
        order=4,
        kinds={PartyKind.COMMISSION_UNIT},
        action=Action.CLOSE_ACCOUNTS,
        template="compliance/administration.html",
        shows=lazy("compliance.mornings.administration"),
    ),
    HomePart(
        name="acts",
        order=12,
        kinds={PartyKind.COMMISSION_UNIT},
        action=Action.CONFIRM_ACTS,
        template="acts/today.html",
        shows=lazy("compliance.acts.pages.acts_to_decide"),
    ),
    HomePart(
        name="queues",
        order=15,
        kinds={PartyKind.COMMISSION_UNIT},
        action=Action.SEE_QUEUES,
        template="filings/own.html",
        shows=lazy("compliance.filings.queues.pages.own_queues"),
    ),
    HomePart(
        name="in_effect",
        order=20,
        kinds=OPERATOR_KINDS,
        action=Action.SEE_CONTROLS,
        template="in_effect/today.html",
        shows=lazy("compliance.in_effect.pages.tables_today"),
    ),
    HomePart(
        name="requests",
        order=30,
        kinds={PartyKind.SUPPLIER, PartyKind.TRIBAL_OPERATION, PartyKind.TRIBAL_AGENCY},
        action=Action.SEE_FILINGS,
        template="requests/own.html",
        shows=lazy("compliance.filings.requests.pages.own_requests"),
    ),
    HomePart(
        name="compact",
        order=40,
        kinds={PartyKind.TRIBAL_AGENCY},
        action=Action.SEE_FILINGS,
        template="licenses/compact_today.html",
        shows=lazy("compliance.filings.licenses.pages.compact_today"),
    ),
)
CAPABILITIES = (
    Capability(
        title="A tamper-evident event log",
        says="Everything that happens is an event with a place in a signed log. A change made "
        "directly in the database is detected and named.",
        order=10,
        url_name="log_key",
    ),
    Capability(
        title="People, roles and second factors",
        says="People come by invitation and have roles in parties. Agents, approvers and "
        "administrators sign in with a second factor. Each party sees only its own data.",
        order=20,
        url_name="account_login",
    ),
    Capability(
        title="What is in effect, and who approved it",
        says="Filings go from the request to the approval on the commercial and the tribal path, "
        "internal controls from the draft to the visit. For any table and instant, the system "
        "shows which terms were in effect and who approved them, or why nothing could be dealt.",
        order=30,
        url_name="in_effect",
    ),
)


def register() -> None:
    """Register events, notifications, conditions, jobs, kept files, due dates and places."""
    for name in REGISTERED_BY_IMPORT:
        import_module(name)
    on_record(notify_of)
    touched.register_tables(lazy("compliance.in_effect.gaming_tables.find_tables_of_game"))
    on_close(end_calendar)
    for name, title in CONDITIONS:
        health.register(name, title, lazy(f"compliance.conditions.{name}"))
    work.register(WebhookDelivery.JOB, "compliance.notifications.webhook_deliveries.WEBHOOK_JOBS")
    work.register(NoticeMail.JOB, "compliance.notifications.mail.MAIL_JOBS")
    work.register(DefinitionOdds.JOB, "compliance.filings.games.odds.ODDS_JOBS")
    work.register(SiemCursor.JOB, "compliance.event_log.siem.SIEM_JOBS")
    work.register(WitnessState.JOB, "compliance.event_log.cosigning.WITNESS_JOBS")
    verification.register(lazy("compliance.filings.documents.reads.files_of_documents"))
    verification.register(lazy("compliance.filings.games.definitions.files_of_definitions"))
    verification.register(lazy("compliance.verification.release.named_releases"))
    for name, says in VERIFIED:
        check = lazy(f"compliance.verification.{name}.check_{name}")
        parts.register(name, says, check, of_database=name in {"states", "database"})
    holds.register(
        holds.HoldKind("operator", "Operator", "Write its code, as cedar.", holds.find_operator)
    )
    for name in ("controls", "requests", "conditions", "agency"):
        due_dates.register(name, lazy(f"compliance.filings.queues.due.{name}_due"))
    for label, url_name, order, action, group in PLACES:
        frame.register(
            Place(label=label, url_name=url_name, order=order, action=action, group=group)
        )
    for part in HOME_PARTS:
        register_home_part(part)
    for capability in CAPABILITIES:
        register_capability(capability)
    references.register("accreditation.md", matrix.control_matrix)
    references.register("oscal-component.json", matrix.component_definition)
    references.register("permissions.md", references.permission_reference)
    references.register("events.md", references.event_reference)
    references.register("tables.md", references.table_reference)
