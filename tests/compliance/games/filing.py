"""A filing of Pyramid Poker, as far along as a test needs it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from compliance.access.permissions import Role
from compliance.events.digests import state_digest
from compliance.filings.documents.models import Document
from compliance.filings.documents.writes import ReceivedFile, file_document
from compliance.filings.games.models import Game
from compliance.filings.games.writes import (
    FiledDocuments,
    file_game,
    file_rule_version,
    pay_tables_of_rules,
)
from compliance.filings.requests.approvals import ChosenReading, open_questions
from compliance.filings.requests.models import GameRequest
from compliance.filings.requests.writes import approve_request, submit_request, take_step
from games.commands.definitions import seed_definitions
from games.definition import read_definition
from tests.compliance.documents.filed_documents import pdf
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Party, Person
    from compliance.filings.games.models import RuleVersion
    from compliance.filings.requests.models import Approval

DAY = date(2025, 1, 2)


def readings(version: RuleVersion, **chosen: str) -> list[ChosenReading]:
    """Read each open question as usual, or as chosen (`PP_I1="dealer_wins"`); controls may differ.

    The approver chooses and gives a reason for each one.
    """
    return [
        ChosenReading(
            each.id,
            chosen.get(each.id.replace("-", "_"), each.default),
            "As the letter of approval reads it.",
            tuple(each.readings),
        )
        for each in open_questions(version)
    ]


def filed_rules(maker: Person, slug: str = "pyramid-poker") -> RuleVersion:
    return filed_rules_of(party_for(Role.SUPPLIER, "maker"), by=maker, slug=slug)


def filed_definition(
    maker: Person, slug: str, text: str, document: Path | None = None
) -> RuleVersion:
    """File a definition of a supplier's game, with its rules of play as a document."""
    supplier = party_for(Role.SUPPLIER, "maker")
    return filed_rules_of(supplier, by=maker, slug=slug, text=text, document=document)


def filed_rules_of(
    supplier: Party | None,
    *,
    by: Person,
    slug: str = "pyramid-poker",
    text: str = "",
    document: Path | None = None,
) -> RuleVersion:
    """File the rules of a supplier's game, or without one the commission's own, by licensing.

    Without a `text`, the definition is the one that comes with the engine.
    """
    seed = seed_definitions().get(slug)
    own = read_definition(seed.read_text("utf-8")).own if seed else None
    between_players = own is not None and own.is_between_players
    game = file_game(
        slug=slug,
        name=slug.replace("-", " ").title(),
        banked_by=Game.Banking.NOBODY if between_players else Game.Banking.HOUSE,
        supplier=supplier,
        by=by,
    )
    with TemporaryDirectory() as folder:
        rules = file_document(
            owner=supplier or party_for(Role.LICENSING),
            kind=Document.Kind.RULES_OF_PLAY,
            title=f"Rules of {game.name}",
            papers=[
                pdf(Path(folder), f"Rules of {slug}")
                if document is None
                else ReceivedFile(document, document.name)
            ],
            evidence_date=DAY,
            by=by,
        )
    definition = text or (seed.read_text("utf-8") if seed else "")
    files = FiledDocuments(
        rules=[rules],
        pay_tables={} if definition else {"rules": pay_tables_of_rules(slug)},
        definition=definition,
    )
    return file_rule_version(game=game, papers=files, as_of=DAY, by=by)


def asked(maker: Person, version: RuleVersion) -> GameRequest:
    return submit_request(
        rule_version=version,
        path=GameRequest.Path.COMMERCIAL,
        asked_by=party_for(Role.SUPPLIER, "maker"),
        by=maker,
    )


def under_review(maker: Person, officer: Person, slug: str = "pyramid-poker") -> GameRequest:
    request = asked(maker, filed_rules(maker, slug))
    return take_step(request=request, name="review", reason="complete", by=officer)


def approved(maker: Person, officer: Person, slug: str = "pyramid-poker") -> Approval:
    request = under_review(maker, officer, slug)
    version = request.rule_version
    return approve_request(
        request=request, seen=state_digest(version), interpretations=readings(version), by=officer
    )


def maker_and_officer() -> tuple[Person, Person]:
    return person_as(Role.SUPPLIER, "maker"), person_as(Role.LICENSING)
