"""The register of kinds of reports."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from uuid import UUID

    from compliance.models import Checkpoint, Party
    from compliance.permissions import Action
    from reports.paper.blocks import Block

FILES = (
    *("letters", "controls", "rules", "in_force", "nightly", "restitution", "summary"),
    *("round_sheet", "case_file", "period_reports"),
)


class NothingToReportError(Exception):
    """There is nothing of which this report could be made; the message says what is missing."""


@dataclass(frozen=True, kw_only=True)
class About:
    """What a report is about: a party, a gambling day, a thing, a line; whichever it needs."""

    party: Party | None = None
    day: date | None = None
    subject: UUID | None = None
    line: int | None = None
    """Of the subject, where that is a round log: from 1."""

    @property
    def thing(self) -> UUID:
        """The subject; refuses to be asked where there is none."""
        if self.subject is None:
            message = "This report is about one thing: say which, by its UUID."
            raise NothingToReportError(message)
        return self.subject

    @property
    def key(self) -> str:
        """One text for all of them, by which reports are numbered."""
        parts = (
            self.party.code if self.party else "",
            self.day.isoformat() if self.day else "",
            str(self.subject) if self.subject else "",
            str(self.line) if self.line is not None else "",
        )
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a report says: its title, its blocks, and whom it is addressed to.

    With `contents` it has a table of them, behind so many blocks as `front` says.
    """

    title: str
    blocks: tuple[Block, ...]
    addressed: tuple[str, ...] = ()
    contents: bool = False
    front: int = 0


@dataclass(frozen=True, kw_only=True)
class DocumentKind:
    """A kind of report; `letters` begins its references, `action` is who may see it.

    `checkpoint` names the checkpoint of the log that it prints; without one it is the newest.
    `edition` is the number of the report that is due now: made once, the same is given back.
    `travels` says that its file may go along with a mail, because it is no secret; of any other
    kind a mail holds no more than that there is one, and where.
    """

    name: str
    title: str
    letters: str
    action: Action
    gather: Callable[[About], dict[str, Any]]
    compose: Callable[[Mapping[str, Any]], Told]
    shown_to: Callable[[About], list[Party]]
    checkpoint: Callable[[About], Checkpoint | None] = lambda _: None
    edition: Callable[[About], int] = lambda _: 1
    travels: bool = False


_kinds: dict[str, DocumentKind] = {}


def register(kind: DocumentKind) -> DocumentKind:
    """Add a kind of report."""
    if kind.name in _kinds:
        message = f"{kind.name}: there is already a report of this name."
        raise ValueError(message)
    _kinds[kind.name] = kind
    return kind


def kind_of(name: str) -> DocumentKind:
    """Find a kind of report by its name; `KeyError` where there is none."""
    return document_kinds()[name]


def document_kinds() -> dict[str, DocumentKind]:
    """All kinds of reports."""
    for file in FILES:
        import_module(f"reports.documents.{file}")
    return _kinds
