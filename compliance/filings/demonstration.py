"""Demonstration filings: games, approvals, internal controls, licenses and compacts."""

from __future__ import annotations

import io
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from django.db import transaction
from docx import Document as Docx
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

from compliance import clock
from compliance.access.models import Party, Person
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.events.digests import state_digest
from compliance.filings.controls.writes import (
    approve_controls,
    comment_on_controls,
    return_controls,
    submit_controls,
)
from compliance.filings.demonstration_controls import (
    CEDAR,
    CEDAR_SINCE_MIDNIGHT,
    HARBOR,
    HARBOR_PENDING,
    TWIN_RIVERS,
    TWIN_RIVERS_RETURNED,
    WESTFORK,
)
from compliance.filings.documents.models import Document
from compliance.filings.documents.writes import ReceivedFile, file_document, show_document
from compliance.filings.games.models import Game, RuleVersion
from compliance.filings.games.writes import (
    FiledDocuments,
    file_game,
    file_rule_version,
    pay_tables_of_rules,
)
from compliance.filings.licenses.models import CompactValue, LicenseClass
from compliance.filings.licenses.writes import (
    add_compact_item,
    add_compact_value,
    enter_compact,
    grant_license,
)
from compliance.filings.requests.approvals import (
    ChosenReading,
    NewCondition,
    mark_condition,
    open_questions,
)
from compliance.filings.requests.models import Condition, ConditionMark, GameRequest
from compliance.filings.requests.reads import get_checklist
from compliance.filings.requests.writes import (
    approve_request,
    submit_request,
    take_step,
    tick_checklist,
)
from compliance.law.values import Grade
from games.commands.definitions import seed_definitions
from games.definition import read_definition
from games.rule_set import SLUGS, RuleSet, as_rule_set, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.filings.documents.models import DocumentVersion


@dataclass(frozen=True)
class Design:
    """A demonstration game: its owner, and the progress of its request."""

    slug: str
    supplier: str
    approved: bool


DESIGNS = (
    Design("pyramid-poker", "northlight", approved=True),
    Design("pick-2-poker", "evergreen", approved=True),
    Design("three-card-poker", "evergreen", approved=True),
    Design("showdown", "sound", approved=False),
    Design("casino-version", "sound", approved=False),
    Design("blackjack", "northlight", approved=True),
    Design("mini-baccarat", "northlight", approved=True),
    Design("texas-holdem", "northlight", approved=True),
    Design("let-it-ride", "evergreen", approved=True),
    Design("pai-gow-poker", "evergreen", approved=True),
)
AS_WRITTEN = "The rules of play are read as they are written; nothing in them says otherwise."
READ_SO = {
    "PP-I1": (
        "The rules name no winner of equal hands. A house may choose, if its controls say so.",
        True,
    ),
    "PP-I8": (
        "The layout limits odds. A house may limit the payout of a deal, if its controls say so.",
        True,
    ),
    "PP-I10": ("A bank covers what is at stake; the layout's maximum is not a wager.", False),
    "P2-I5": ("The rules say that a player who folds loses the bonus wagers.", False),
    "P2-I9": ("The line is printed as suited.", False),
    "BJ-I1": ("A house may have its dealers hit a soft 17, if its controls say so.", True),
}
"""Why the invented director reads a question as its default, and whether controls may differ."""
LICENSES = (
    ("northlight", LicenseClass.MANUFACTURER),
    ("evergreen", LicenseClass.MANUFACTURER),
    ("sound", LicenseClass.DISTRIBUTOR),
    ("cedar", LicenseClass.HOUSE_BANKED_CARD_ROOM),
    ("harbor", LicenseClass.HOUSE_BANKED_CARD_ROOM),
    ("westfork", LicenseClass.HOUSE_BANKED_CARD_ROOM),
)


def load_filings() -> bool:
    """Create the demonstration filings, all or none; return whether this call created them."""
    with without_access_scope(), transaction.atomic():
        if Game.objects.exists():
            return False
        with TemporaryDirectory() as folder:
            _Filings(Path(folder)).make()
    return True


@contextmanager
def _on(year: int, month: int, day: int, hour: int = 10, minute: int = 0) -> Iterator[None]:
    with clock.standing_at(datetime(year, month, day, hour, minute, tzinfo=zone())):
        yield


def _decided(version: RuleVersion) -> list[ChosenReading]:
    """Read each open question as the invented director did; operators may choose some."""
    found = []
    for each in open_questions(version):
        reason, allowed = READ_SO.get(each.id, (AS_WRITTEN, False))
        others = tuple(each.readings) if allowed else ()
        found.append(ChosenReading(each.id, each.default, reason, others))
    return found


FILED = {slug: path for slug, path in seed_definitions().items() if slug not in SLUGS}
"""Definitions of games that the engine doesn't have of its own, by slug."""


def _rules(slug: str) -> RuleSet:
    if slug in FILED:
        return as_rule_set(read_definition(FILED[slug].read_text("utf-8")))
    return rule_set(slug)


class _Filings:
    """The history of the filings, in chronological order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parties = {party.code: party for party in Party.objects.all()}
        self.people = {person.name: person for person in Person.objects.all()}
        self.officer = self.people["Dana Whitfield"]
        self.director = self.people["Frances Lindqvist"]

    def make(self) -> None:
        """Create everything from the licenses to the filings that are open today."""
        with _on(2024, 11, 4):
            self._licenses()
        versions = {design.slug: self._design(design) for design in DESIGNS}
        versions["chinese-poker"] = self._game_of_the_commission()
        self._tribal_path(versions["pyramid-poker"])
        self._tribal_path(versions["pick-2-poker"])
        self._controls()

    def _licenses(self) -> None:
        for code, kind in LICENSES:
            grant_license(
                holder=self.parties[code],
                kind=kind,
                number=f"{kind.upper()[:2]}-{1000 + 7 * len(code)}",
                issuer=self.parties["licensing"],
                from_date=date(2024, 7, 1),
                to_date=date(2027, 7, 1),
                by=self.officer,
            )
        compact = enter_compact(
            agency=self.parties["twin-rivers-agency"],
            title="Twin Rivers compact (invented)",
            from_date=date(1996, 3, 1),
            source="Invented for the demonstration",
            by=self.officer,
        )
        add_compact_value(
            compact=compact,
            rule=CompactValue.Rule.WAGER,
            from_date=date(1996, 9, 1),
            value=50_000,
            grade=Grade.CONFIRMED,
            citation="Appendix B, section 3 (invented)",
            by=self.officer,
        )
        for asks in (
            "The rules of play as the commission approved them",
            "How the operation supervises the game and settles disputes",
        ):
            add_compact_item(
                compact=compact,
                asks=asks,
                citation="Appendix A, section 18 (invented)",
                by=self.officer,
            )

    def _design(self, design: Design) -> RuleVersion:
        maker = self._person_of(design.supplier)
        supplier, rules = self.parties[design.supplier], _rules(design.slug)
        with _on(2024, 12, 2):
            game = file_game(
                slug=design.slug,
                name=rules.name,
                banked_by=Game.Banking.HOUSE if rules.house_banked else Game.Banking.NOBODY,
                supplier=supplier,
                by=maker,
            )
            version = file_rule_version(
                game=game, papers=self._papers(design, maker), as_of=date(2024, 12, 2), by=maker
            )
        with _on(2024, 12, 9):
            request = submit_request(
                rule_version=version,
                path=GameRequest.Path.COMMERCIAL,
                asked_by=supplier,
                by=maker,
            )
        if design.slug == "casino-version":
            with _on(2024, 12, 16):
                reason = "Whether a game with jokers uses standard playing cards is open."
                take_step(request=request, name="review", reason=reason, by=self.officer)
        if design.approved:
            self._approve(request)
        return version

    def _approve(self, request: GameRequest) -> None:
        with _on(2024, 12, 16):
            take_step(
                request=request, name="review", reason="The filing is whole.", by=self.officer
            )
        with _on(2025, 1, 10):
            version = request.rule_version
            approval = approve_request(
                request=request,
                seen=state_digest(version),
                by=self.director,
                interpretations=_decided(version),
            )
            for condition in approval.conditions.filter(kind=Condition.Kind.LICENSED_MAKERS):
                mark_condition(
                    condition=condition,
                    mark=ConditionMark.Mark.MET,
                    reason="The supplier's licenses were looked up.",
                    by=self.officer,
                )
            says = [each.says for each in approval.conditions.all()]
            document = file_document(
                owner=self.parties["licensing"],
                kind=Document.Kind.LETTER,
                title=f"Letter of approval: {version.game}",
                papers=[
                    self._pdf(f"letter-{version.game.slug}", f"Approval of {version.game}", says)
                ],
                evidence_date=date(2025, 1, 10),
                by=self.officer,
            ).document
            show_document(document=document, to=request.asked_by, by=self.officer)

    def _game_of_the_commission(self) -> RuleVersion:
        rules = rule_set("chinese-poker")
        with _on(2024, 12, 3):
            game = file_game(
                slug=rules.slug,
                name=rules.name,
                banked_by=Game.Banking.NOBODY,
                supplier=None,
                by=self.officer,
            )
            clauses = [f"{each.id}. {each.says}" for each in rules.clauses.values()]
            document = file_document(
                owner=self.parties["licensing"],
                kind=Document.Kind.RULES_OF_PLAY,
                title=f"Rules of {rules.name}",
                papers=[self._docx("chinese-poker", rules.name, clauses)],
                evidence_date=date(2024, 12, 3),
                by=self.officer,
            )
            version = file_rule_version(
                game=game,
                papers=FiledDocuments(rules=[document]),
                as_of=date(2024, 12, 3),
                by=self.officer,
            )
            request = submit_request(
                rule_version=version,
                path=GameRequest.Path.COMMERCIAL,
                asked_by=self.parties["licensing"],
                by=self.officer,
            )
            take_step(request=request, name="review", reason="Our own rules.", by=self.officer)
        with _on(2025, 1, 10):
            says = "Each operator's internal controls say how the game is played (CP-13, CP-14)."
            approve_request(
                request=request,
                seen=state_digest(version),
                by=self.director,
                conditions=[NewCondition(Condition.Kind.CONTROLS_FIRST, says)],
                interpretations=_decided(version),
            )
        return version

    def _tribal_path(self, version: RuleVersion) -> None:
        manager, reviewer = self.people["Mary Strong"], self.people["Nathan Reed"]
        seen = state_digest(version)
        with _on(2025, 2, 3):
            request = submit_request(
                rule_version=version,
                path=GameRequest.Path.TRIBAL,
                asked_by=self.parties["twin-rivers"],
                by=manager,
            )
        with _on(2025, 2, 10):
            there = [each.item for each in get_checklist(request)]
            tick_checklist(request=request, there=there, by=reviewer)
            approve_request(request=request, seen=seen, by=reviewer)
            reason = "The compact asks for the commission's concurrence."
            take_step(request=request, name="seek_concurrence", reason=reason, by=reviewer)
        with _on(2025, 2, 24):
            approve_request(request=request, seen=seen, by=self.director)

    def _controls(self) -> None:
        first = datetime(2025, 3, 1, 6, tzinfo=zone())
        for code, content in (
            ("cedar", CEDAR),
            ("harbor", HARBOR),
            ("twin-rivers", TWIN_RIVERS),
            ("westfork", WESTFORK),
        ):
            with _on(2025, 2, 17):
                self._approved(code, content, first)
        # The games Cedar Ridge may offer change in the middle of the night of July 12, 2025.
        with _on(2025, 7, 8):
            self._approved("cedar", CEDAR_SINCE_MIDNIGHT, datetime(2025, 7, 13, tzinfo=zone()))
        with _on(2025, 7, 9):
            self._submitted("harbor", HARBOR_PENDING)
            returned = self._submitted("twin-rivers", TWIN_RIVERS_RETURNED)
        with _on(2025, 7, 10):
            comment_on_controls(
                version=returned,
                section="surveillance",
                text="Say which camera covers the new table.",
                by=self.officer,
                by_party=self.parties["licensing"],
            )
            return_controls(
                version=returned,
                reason="See the comment on surveillance.",
                days=30,
                by=self.officer,
            )

    def _submitted(self, code: str, content: dict[str, Any]) -> Any:
        return submit_controls(
            operator=self.parties[code], content=content, by=self._person_of(code)
        )

    def _approved(self, code: str, content: dict[str, Any], since: datetime) -> None:
        version = self._submitted(code, content)
        approve_controls(
            version=version, seen=state_digest(version), in_effect_from=since, by=self.officer
        )

    def _person_of(self, code: str) -> Person:
        held = self.parties[code].memberships.order_by("id").first()
        assert held is not None  # noqa: S101 - every party of the demonstration has people
        return held.person

    def _papers(self, design: Design, maker: Person) -> FiledDocuments:
        rules, filed = _rules(design.slug), FILED.get(design.slug)
        clauses = [f"{each.id}. {each.says}" for each in rules.clauses.values()]
        owner = self.parties[design.supplier]
        if filed is None:
            rules_file = self._pdf(design.slug, rules.name, clauses)
        else:  # the text that the definition's clauses point to
            text = filed.with_name("rules.txt").read_bytes()
            rules_file = self._paper(f"{design.slug}.txt", text)
        binding = file_document(
            owner=owner,
            kind=Document.Kind.RULES_OF_PLAY,
            title=f"Rules of play: {rules.name}",
            papers=[rules_file],
            evidence_date=date(2024, 12, 2),
            by=maker,
        )
        if filed is not None:
            return FiledDocuments(rules=[binding], definition=filed.read_text("utf-8"))
        if not rules.pay_tables:
            return FiledDocuments(rules=[binding])
        usual = pay_tables_of_rules(design.slug)
        printed = {
            layout.table: {**usual[layout.table], **layout.lines}
            for layout in rules.layouts.values()
        }
        drawing = self._drawing(design, maker, printed)
        return FiledDocuments(
            rules=[binding],
            layouts=[drawing],
            pay_tables={"rules": usual, "layout": printed},
            citations=["WAC 230-15-040", "WAC 230-15-140"],
            printed_maximum=500_000 if design.slug == "pyramid-poker" else None,
        )

    def _drawing(
        self, design: Design, maker: Person, printed: dict[str, dict[str, int]]
    ) -> DocumentVersion:
        lines = [
            f"{table}, {line.replace('_', ' ')}: {pays} to 1"
            for table, rows in printed.items()
            for line, pays in rows.items()
        ]
        return file_document(
            owner=self.parties[design.supplier],
            kind=Document.Kind.LAYOUT,
            title=f"Layout: {rule_set(design.slug).name}",
            papers=[self._pdf(f"{design.slug}-layout", "Layout drawing", lines)],
            evidence_date=date(2024, 12, 2),
            by=maker,
        )

    def _pdf(self, name: str, title: str, lines: list[str]) -> ReceivedFile:
        styles = getSampleStyleSheet()
        story = [Paragraph(title, styles["Title"]), Spacer(1, 12)]
        story += [Paragraph(line, styles["BodyText"]) for line in lines]
        content = io.BytesIO()
        SimpleDocTemplate(content, pagesize=letter, title=title, invariant=1).build(story)
        return self._paper(f"{name}.pdf", content.getvalue())

    def _docx(self, name: str, title: str, lines: list[str]) -> ReceivedFile:
        document = Docx()
        document.add_heading(title)
        for line in lines:
            document.add_paragraph(line)
        content = io.BytesIO()
        document.save(content)
        return self._paper(f"{name}.docx", content.getvalue())

    def _paper(self, name: str, content: bytes) -> ReceivedFile:
        path = self.folder / name
        path.write_bytes(content)
        return ReceivedFile(path, name)
