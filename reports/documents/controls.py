"""Internal controls as approved, with changes since the previous approved version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compliance.access.permissions import Action
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.controls.presentation import compare_controls
from compliance.filings.requests.models import Approval
from reports.documents.registry import (
    About,
    DocumentKind,
    NothingToReportError,
    ReportContent,
    register,
)
from reports.documents.wording import instant, local, name_of
from reports.rendering.blocks import (
    Align,
    Callout,
    Change,
    Changed,
    Column,
    Facts,
    Heading,
    Mood,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from compliance.access.models import Party
    from compliance.ui.comparison import LinePair
    from reports.rendering.blocks import Block


def gather(about: About) -> dict[str, Any]:
    """Read a version of controls, its approvals, and the previous approved version."""
    version = _version(about)
    approvals = _approvals(version)
    before = _approved_before(version, approvals[0])
    sections = compare_controls(before.content if before else {}, version.content)
    return {
        "operator": version.operator.name,
        "number": version.number,
        "submitted": local(version.at),
        "approvals": [
            {
                "kind": each.get_kind_display(),
                "by": name_of(each.by),
                "by_party": each.by_party.name,
                "at": local(each.at),
                "in_effect_from": local(each.in_effect_from),
                "digest": each.digest,
            }
            for each in approvals
        ],
        "before": before.number if before else None,
        "sections": [
            {
                "key": each.section.key,
                "heading": each.section.heading,
                "lines": [list(line) for row in each.rows for line in _marked(row, new=not before)],
            }
            for each in sections
        ],
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report of the controls."""
    since = data["approvals"][0]["in_effect_from"]
    changed = [
        section["heading"]
        for section in data["sections"]
        if any(mark != Change.SAME.value for mark, _ in section["lines"])
    ]
    front: list[Block] = [
        Callout(
            "Approved",
            f"Version {data['number']} of the internal controls of {data['operator']}, in effect "
            f"from {instant(since)}.",
            Mood.GOOD,
        ),
        Words(_what_changed(data["before"], changed)),
        Rows(
            "approvals",
            "Approvals",
            (Column("Approval"), Column("By"), Column("On"), Column("In effect from")),
            tuple(
                (
                    each["kind"],
                    ", ".join(filter(None, (each["by"], each["by_party"]))),
                    instant(each["at"]),
                    instant(each["in_effect_from"]),
                )
                for each in data["approvals"]
            ),
        ),
        Facts((("Digest of what was approved", data["approvals"][0]["digest"]),), Align.CODES),
    ]
    blocks = list(front)
    for section in data["sections"]:
        blocks.append(Heading(section["heading"]))
        lines = tuple((Change(mark), line) for mark, line in section["lines"])
        blocks.append(Changed(lines) if lines else Words("This section is empty.", quiet=True))
    return ReportContent(
        title=f"Internal controls of {data['operator']}, version {data['number']}",
        blocks=tuple(blocks),
        contents=True,
        front=len(front),
    )


def _what_changed(before: int | None, changed: list[str]) -> str:
    if before is None:
        return "No version was approved before this one, so nothing is marked as changed."
    if not changed:
        return f"Nothing in it differs from version {before}, the version approved before."
    return (
        f"Changes from version {before}, the version approved before, are marked. They are in: "
        f"{', '.join(changed)}."
    )


def _marked(row: LinePair, *, new: bool) -> Iterator[tuple[str, str]]:
    if not row.changed or new:
        yield Change.SAME.value, row.after
        return
    if row.before:
        yield Change.REMOVED.value, row.before
    if row.after:
        yield Change.ADDED.value, row.after


def _version(about: About) -> ControlsVersion:
    versions = ControlsVersion.objects.select_related("operator__agency")
    return about.find("version of controls", versions)


def _approvals(version: ControlsVersion) -> list[Approval]:
    given = Approval.objects.filter(subject=version.uuid).select_related("by_party")
    approvals = list(given.order_by("in_effect_from", "at"))
    if not approvals:
        message = f"No one has approved the {version} yet. There is a report once it is approved."
        raise NothingToReportError(message)
    return approvals


def _approved_before(version: ControlsVersion, approval: Approval) -> ControlsVersion | None:
    """Return the version that this one replaced."""
    others = version.operator.controls_versions.filter(number__lt=version.number)
    given = Approval.objects.filter(
        subject__in=others.values("uuid"), in_effect_from__lte=approval.in_effect_from
    )
    last = given.order_by("in_effect_from", "at").last()
    return ControlsVersion.objects.get(uuid=last.subject) if last else None


def _shown_to(about: About) -> list[Party]:
    operator = _version(about).operator
    return [operator, *([operator.agency] if operator.agency else [])]


CONTROLS_AS_APPROVED = register(
    DocumentKind(
        name="controls_as_approved",
        title="Internal controls as approved",
        letters="IC",
        action=Action.SEE_CONTROLS,
        gather=gather,
        compose=compose,
        shown_to=_shown_to,
    )
)
