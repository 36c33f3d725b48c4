"""Make a past report again from what was kept, and say whether it is the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from compliance.archive import DamagedError, MissingError, current_archive
from compliance.archive.content import read_bytes
from reports.inputs import read_inputs
from reports.paper.faces import current_faces
from reports.sheets import body_of, software

if TYPE_CHECKING:
    from reports.models import Report


class Outcome(Enum):
    """What came of making a report again."""

    SAME = "same"
    OTHER_TOOLS = "other tools"
    DIFFERS = "differs"
    INPUTS_GONE = "inputs gone"


@dataclass(frozen=True)
class Reproduction:
    """What came of it, in a sentence, with the SHA-256 of the body made now if there is one."""

    outcome: Outcome
    says: str
    body: str = ""


def reproduce(report: Report) -> Reproduction:
    """Set the body of a report again from its kept inputs and compare it byte for byte."""
    try:
        inputs = read_inputs(read_bytes(current_archive(), report.inputs))
    except (MissingError, DamagedError) as lost:
        return Reproduction(Outcome.INPUTS_GONE, f"Its inputs cannot be read: {lost}")
    made = body_of(inputs).content
    digest = hashlib.sha256(made).hexdigest()
    if digest == report.body:
        return Reproduction(Outcome.SAME, "Made again, it is the same byte for byte.", digest)
    if others := _other_tools(report):
        says = f"Made again, it is not the same bytes: it was set with {', '.join(others)}."
        return Reproduction(Outcome.OTHER_TOOLS, says, digest)
    kept = read_bytes(current_archive(), report.body)
    place = next((n for n, (a, b) in enumerate(zip(made, kept, strict=False)) if a != b), None)
    at = min(len(made), len(kept)) if place is None else place
    says = f"Made again with the same tools, it differs from byte {at:,} on."
    return Reproduction(Outcome.DIFFERS, says, digest)


def _other_tools(report: Report) -> list[str]:
    """Name what sets reports in type here otherwise than when this one was made."""
    now = {**software(), "faces": current_faces().digest}
    then = {**report.software, "faces": report.faces}
    return [
        f"{name} {_short(then.get(name, 'unknown'))}, here is {_short(now.get(name, 'none'))}"
        for name in sorted(now.keys() | then.keys())
        if now.get(name) != then.get(name)
    ]


def _short(version: str) -> str:
    return version[:12] if len(version) == 64 else version
