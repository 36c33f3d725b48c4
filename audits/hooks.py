"""What audits register with the platform when Django starts.

Every process runs this, and few need the code that reads and replays rounds: it imports a compiler.
"""

from importlib import import_module

from audits.intake.models import Submission
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.review.issues import openers
from audits.watch.models import WatchedSegment
from compliance import health, references
from compliance.access.permissions import OPERATOR_KINDS, Action, PartyKind
from compliance.acts import touched
from compliance.jobs import work
from compliance.lazy import lazy
from compliance.notifications import due_dates
from compliance.retention import reads as holds
from compliance.retention import verification
from compliance.ui import frame, home_parts
from compliance.ui.frame import Group, Place
from compliance.verification import parts
from games import checks

PLACES = (
    ("Queue", "work", 49, Action.SEE_FINDINGS),
    ("Dashboard", "dashboard", 49, Action.SEE_FINDINGS),
    ("Rounds", "rounds", 50, Action.SEE_ROUNDS),
    ("Issues", "issues", 52, Action.SEE_RELEASED),
    ("Findings", "all_findings", 52, Action.SEE_RELEASED),
    ("Cases", "cases", 53, Action.SEE_FINDINGS),
    ("Releases", "releases", 53, Action.SEE_FINDINGS),
    ("Restitution", "restitution_days", 53, Action.SEE_DISCLOSURES),
    ("Disclosures", "disclosures", 53, Action.SEE_DISCLOSURES),
    ("Replays", "replays", 54, Action.SEE_FINDINGS),
    ("Watch", "watch", 55, Action.SEE_FINDINGS),
    ("Visits", "visits", 56, Action.SEE_FINDINGS),
)
"""Label, route name, sort order and required action of each place in the audits menu."""
UNIT = frozenset({PartyKind.COMMISSION_UNIT})
HOME_PARTS = (
    ("night", 5, Action.SEE_FINDINGS, UNIT),
    ("trends", 5, Action.SEE_FINDINGS, UNIT),
    ("load", 8, Action.ASSIGN_FINDINGS, UNIT),
    ("queue", 10, Action.REVIEW_FINDINGS, UNIT),
    ("logs", 30, Action.SEE_ROUNDS, OPERATOR_KINDS),
    ("findings", 40, Action.SEE_RELEASED, OPERATOR_KINDS),
)
"""Name, order, required action and parties of each home part."""
MORNINGS = frozenset({"night", "trends", "load"})
"""Those that `audits.review.mornings` fills; the others are in `audits.review.home`."""


def register() -> None:
    """Register events, notifications, conditions, jobs, kept files, due dates and places."""
    for name in (
        "audits.intake.events",
        "audits.replay.events",
        "audits.review.events",
        "audits.review.notifications",
        "audits.watch.events",
    ):
        import_module(name)
    for name, title in (
        ("submissions", "Submitted logs"),
        ("nightly_run", "Nightly run"),
        ("replays", "Replays"),
    ):
        health.register(name, title, lazy(f"audits.review.conditions.{name}"))
    touched.register_rounds(lazy("audits.intake.reads.count_rounds_on_file"))
    work.register(Submission.JOB, "audits.intake.ingestion.LOG_JOBS")
    work.register(ReplaySegment.JOB, "audits.replay.units.UNIT_JOBS")
    work.register(Replay.JOB, "audits.review.issues.settling.SETTLING_JOBS")
    work.register(ReplayComparison.JOB, "audits.replay.comparisons.COMPARISON_JOBS")
    work.register(WatchedSegment.JOB, "audits.watch.writes.WATCH_JOBS")
    openers.register(
        openers.OpenersPart(
            "watch.", "audits/watch/leads.html", lazy("audits.watch.leads.leads_of")
        )
    )
    verification.register(lazy("audits.intake.repair.files_of_round_logs"))
    verification.register(lazy("audits.replay.repair.files_of_replays"))
    verification.register(lazy("audits.review.cases.exhibits.files_of_seals"))
    parts.register("engine", "engine", lazy("audits.replay.engine.check_engine"))
    for name, says, path in (
        ("replays", "replays", "audits.replay.verification.check_replays"),
        ("missing", "what days lack", "audits.review.nightly_run.verification.check_missing"),
        ("derived", "derived rows", "audits.review.derived.check_derived"),
    ):
        parts.register(name, says, lazy(path), of_database=True)
    references.register("checks.md", checks.reference)
    due_dates.register("audits", lazy("audits.review.due.all_due"))
    references.register("round-log.md", lazy("games.log.reference.page"))
    references.register("round-log.schema.json", lazy("games.log.reference.json_schema"))
    references.register("definition.md", lazy("games.definition.reference.page"))
    references.register("definition.schema.json", lazy("games.definition.reference.json_schema"))
    _register_holds()
    _register_pages()


def _register_holds() -> None:
    holds.register(
        holds.HoldKind(
            "log",
            "Round log",
            "Write its number or its whole SHA-256.",
            lazy("audits.intake.reads.find_log_to_hold"),
        )
    )
    holds.register(
        holds.HoldKind(
            "case",
            "Case",
            "Write its number, as CR 2025-00012; everything of its operator is on hold.",
            lazy("audits.review.cases.reads.find_case_to_hold"),
        )
    )


def _register_pages() -> None:
    for label, url_name, order, action in PLACES:
        frame.register(
            Place(label=label, url_name=url_name, order=order, action=action, group=Group.AUDITS)
        )
    for name, order, action, kinds in HOME_PARTS:
        module = "mornings" if name in MORNINGS else "home"
        home_parts.register_home_part(
            home_parts.HomePart(
                name=name,
                order=order,
                kinds=kinds,
                action=action,
                template=f"audits/home/{name}.html",
                shows=lazy(f"audits.review.{module}.{name}"),
            )
        )
    home_parts.register_capability(
        home_parts.Capability(
            title="Audit round logs",
            says="Each round of a log is settled again by the rules of play. Differences are "
            "flagged by clause, with the amount.",
            order=0,
        )
    )
    home_parts.register_capability(
        home_parts.Capability(
            title="Review findings",
            says="Findings with one cause form an issue, with the amount and the interpretation "
            "that explains it. An agent decides; the operator sees what was released.",
            order=5,
            url_name="issues",
        )
    )
