"""What the watch knows of an issue it opened: streams, charts, rounds, innocent explanations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from audits.replay.findings.models import Finding
from audits.watch.alarms import identity_of
from audits.watch.presentation import INNOCENT, draw_control, draw_evidence
from audits.watch.reads import find_streams, streams
from audits.watch.rounds import rounds_behind

if TYPE_CHECKING:
    from audits.replay.findings.models import Issue
    from audits.watch.rounds import RoundsBehind
    from audits.watch.streams import Stream
    from compliance.ui.charts import Band, Columns

CHARTED: Final = 3
"""Streams of an issue that are drawn, the strongest ones."""


@dataclass(frozen=True)
class Lead:
    """A stream behind an issue."""

    stream: Stream
    band: Band
    chart: Columns
    behind: RoundsBehind | None


@dataclass(frozen=True)
class Leads:
    """The strongest streams behind an issue, and how many more there are."""

    shown: tuple[Lead, ...]
    more: int
    innocent: tuple[str, ...]


def leads_of(issue: Issue, *, sees_rounds: bool) -> Leads:
    """Return what the watch knows of an issue that it opened."""
    known = set(
        Finding.objects.filter(issue=issue)
        .exclude(standing=Finding.Standing.GONE)
        .values_list("identity", flat=True)
    )
    found: dict[str, Stream] = {}
    for each in streams(issue.party):
        if each.kind == issue.code and (key := identity_of(issue.party, each)) in known:
            found.setdefault(key, each)
    charted = list(found.values())[:CHARTED]
    wanted = [(each.name, each.figures.statistic) for each in charted]
    history = find_streams(issue.party, issue.game, wanted) if wanted else {}
    shown: list[Lead] = []
    for stream in charted:
        days = history.get((stream.name, stream.figures.statistic), [])
        if days:
            behind = None
            if sees_rounds and not shown:
                behind = rounds_behind(issue.party, stream.game, stream.subject, days[-1].day)
            shown.append(Lead(stream, draw_control(days), draw_evidence(days), behind))
    return Leads(tuple(shown), len(found) - len(shown), INNOCENT.get(issue.code, ()))
