"""From stored inputs to a sheet: everything in a body, without other sources."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import reportlab

from reports.documents.registry import kind_of, write_inputs
from reports.documents.wording import instant
from reports.rendering.blocks import Align, Facts, Heading, Sheet, Words
from reports.rendering.build import build
from reports.rendering.typography import current_faces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reports.documents.registry import ReportContent
    from reports.rendering.blocks import Block
    from reports.rendering.build import Body


WITH_CHECKPOINT = (
    " The log's root is from before this report was made: it shows that nothing was taken since."
)
LEVELS = {
    True: "B-T: a time stamp authority confirms its time",
    False: "B-B: no time stamp authority confirms its time",
}
SET_BY = ("rendering", "documents")


def content_of(inputs: Mapping[str, Any]) -> ReportContent:
    """Compose the content of a report from its inputs."""
    return kind_of(inputs["kind"]).compose(inputs["data"])


def sheet_of(inputs: Mapping[str, Any]) -> Sheet:
    """Compose the sheet of a report from its inputs."""
    content = content_of(inputs)
    return Sheet(
        title=content.title,
        reference=inputs["reference"],
        agency=inputs["agency"],
        made=datetime.fromisoformat(inputs["made"]),
        demonstration=inputs["demonstration"],
        blocks=(*content.blocks, *_how_to_check(inputs)),
        addressed=content.addressed,
        contents=content.contents,
        front=content.front,
        keywords=(inputs["kind"], inputs["about"]),
        site=inputs["site"],
        letterhead=content.letterhead,
        running=content.running,
        data=write_inputs({"data": inputs["data"]}),
        marking=kind_of(inputs["kind"]).marking,
    )


def body_of(inputs: Mapping[str, Any]) -> Body:
    """Typeset a report in the fonts of this installation."""
    return build(sheet_of(inputs), current_faces())


@cache
def software() -> dict[str, str]:
    """Return the versions that typeset reports here: the library's, and our sources' digest."""
    here = Path(__file__).parent.parent
    sources = sorted(
        place
        for name in SET_BY
        for place in ([here / name] if name.endswith(".py") else (here / name).rglob("*.py"))
    )
    digest = hashlib.sha256()
    for place in sources:
        digest.update(f"{place.relative_to(here)}\n".encode() + place.read_bytes())
    return {"reportlab": str(reportlab.__version__), "reports": digest.hexdigest()}


def _how_to_check(inputs: Mapping[str, Any]) -> tuple[Block, ...]:
    rows = [("Report", f"{inputs['reference']}, made {instant(inputs['made'])}")]
    checkpoint = inputs["checkpoint"]
    if checkpoint is not None:
        # the lines of the note, so that a reader can type them
        rows += [("Log", f"{checkpoint['origin']}, {checkpoint['size']} events")]
        rows += [("Root", checkpoint["root"])]
        if cosigned := checkpoint.get("cosigned"):
            rows += [("Cosigned", ", ".join(cosigned))]
    return (
        Heading("How this report is checked"),
        Words(
            "This file contains a signature and the proof that the event log has this report. "
            f"Check it at {inputs['site']}/verify/, or with verifier.py on any computer."
            f"{WITH_CHECKPOINT if checkpoint else ''}{_level(inputs)}",
            quiet=True,
        ),
        Facts(tuple(rows), Align.CODES),
    )


def _level(inputs: Mapping[str, Any]) -> str:
    """Say what the signature proves in years; older inputs do not say how they were signed."""
    if "timestamped" not in inputs:
        return ""
    return (
        f" The signature is PAdES {LEVELS[inputs['timestamped']]}. It is not B-LTA: whether its "
        "certificate was revoked is not kept in this file."
    )
