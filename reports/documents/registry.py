"""The registry of kinds of reports, and the storage of their inputs.

Inputs are canonical JSON, read back as they were written. Their content comes from others, and
nothing in it may prevent a report. A whole number that programs do not read exactly is stored as
`{"whole": "9007199254740993"}`, and a character that cannot be stored as its replacement.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from compliance.events.canonical import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from uuid import UUID

    from django.db.models import Model, QuerySet

    from compliance.access.models import Party
    from compliance.access.permissions import Action
    from compliance.event_log.models import Checkpoint
    from reports.rendering.blocks import Block

Row = TypeVar("Row", bound="Model")

FILES = (
    *("letters", "controls", "rules", "in_effect", "nightly", "restitution"),
    *("round_sheet", "case_file", "period_reports"),
)


class NothingToReportError(Exception):
    """This report cannot be made; the message says what is missing."""


@dataclass(frozen=True, kw_only=True)
class About:
    """The subject of a report: a party, a gambling day, a thing or a line, as needed."""

    party: Party | None = None
    day: date | None = None
    subject: UUID | None = None
    line: int | None = None
    """Line of the subject if that is a round log, from 1."""
    since: date | None = None
    """First day of a period that ends on `day`, for a report on demand."""

    @property
    def thing(self) -> UUID:
        """Return the subject's UUID; refuse if there is none."""
        if self.subject is None:
            message = "This report is about one thing: say which, by its UUID."
            raise NothingToReportError(message)
        return self.subject

    def find(self, name: str, rows: QuerySet[Row]) -> Row:
        """Return the subject from among these rows; refuse if there is none the user can see."""
        found = rows.filter(uuid=self.thing).first()
        if found is None:
            message = f"There is no {name} {self.subject}."
            raise NothingToReportError(message)
        return found

    @property
    def key(self) -> str:
        """Return a single text for all fields, by which reports are numbered."""
        parts = (
            self.party.code if self.party else "",
            self.day.isoformat() if self.day else "",
            str(self.subject) if self.subject else "",
            str(self.line) if self.line is not None else "",
            f"since {self.since}" if self.since else "",
        )
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class ReportContent:
    """The content of a report: its title, blocks and addressees.

    With `contents`, a table of contents follows the first `front` blocks. A letter has the lines of
    its agency's `letterhead`, and `running` lines at the top of its further pages.
    """

    title: str
    blocks: tuple[Block, ...]
    addressed: tuple[str, ...] = ()
    contents: bool = False
    front: int = 0
    letterhead: tuple[str, ...] = ()
    running: tuple[str, ...] = ()


CONFIDENTIAL = "Confidential (chapter 42.56 RCW)"
"""Printed on reports about an operator's rounds and players; the commission decides on requests."""


@dataclass(frozen=True, kw_only=True)
class DocumentKind:
    """A kind of report; its references begin with `letters`, and readers need `action`.

    `checkpoint` returns the event log's checkpoint to print; by default it is the newest. `edition`
    returns the number of the report that is due now; a report already made under it is reused.
    `travels` allows its file in an email, because it is not confidential; an email about any other
    kind says only that there is a report, and where.
    """

    name: str
    title: str
    letters: str
    action: Action
    gather: Callable[[About], dict[str, Any]]
    compose: Callable[[Mapping[str, Any]], ReportContent]
    shown_to: Callable[[About], list[Party]]
    checkpoint: Callable[[About], Checkpoint | None] = lambda _: None
    edition: Callable[[About], int] = lambda _: 1
    travels: bool = False
    marking: str = CONFIDENTIAL


PUBLIC = "Public record"
_kinds: dict[str, DocumentKind] = {}


def register(kind: DocumentKind) -> DocumentKind:
    """Register a kind of report."""
    if kind.name in _kinds:
        message = f"{kind.name}: there is already a report of this name."
        raise ValueError(message)
    _kinds[kind.name] = kind
    return kind


def kind_of(name: str) -> DocumentKind:
    """Return a kind of report by name; raise `KeyError` if there is none."""
    return document_kinds()[name]


def document_kinds() -> dict[str, DocumentKind]:
    """Return all kinds of reports."""
    for file in FILES:
        import_module(f"reports.documents.{file}")
    return _kinds


EXACT = 2**53 - 1
WHOLE = "whole"
CANNOT_BE_KEPT = re.compile("[\0\ud800-\udfff]")
"""NUL, and half a character."""


def write_inputs(inputs: dict[str, Any]) -> bytes:
    """Serialize inputs, whatever integers and texts they contain."""
    return canonical(_written(inputs))


def read_inputs(content: bytes) -> dict[str, Any]:
    """Parse stored inputs."""
    inputs: dict[str, Any] = json.loads(content, object_hook=_read)
    return inputs


def _written(value: Any) -> Any:
    if isinstance(value, str):
        return CANNOT_BE_KEPT.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_written(name): _written(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_written(each) for each in value]
    if isinstance(value, int) and abs(value) > EXACT:
        return {WHOLE: str(value)}
    return value


def _read(found: dict[str, Any]) -> Any:
    return int(found[WHOLE]) if found.keys() == {WHOLE} else found
