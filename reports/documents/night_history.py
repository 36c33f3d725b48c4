"""The nights before, as their reports have them: what came of rounds and money from day to day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from compliance.archive import DamagedError, MissingError, current_archive
from compliance.archive.content import read_bytes
from reports.documents.night_charts import counted_bars, money_by
from reports.inputs import read_inputs
from reports.models import Report
from reports.paper.blocks import Heading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from audits.models import GamblingDay
    from reports.paper.blocks import Block

NIGHTS = 13
"""So many days before: with the day itself two weeks."""
FIGURES = ("rounds", "flagged", "findings", "received", "owed")


def history_of(day: GamblingDay, kind: str) -> list[dict[str, Any]]:
    """The figures of the newest report of each of the days before, the oldest first.

    What retention removed, or damage took, is left out: a history is no evidence.
    """
    begin = day.day - timedelta(days=NIGHTS)
    made = Report.objects.filter(kind=kind, party=day.party, day__gte=begin, day__lt=day.day)
    newest = {each.day: each for each in made.order_by("day", "number")}
    told = []
    for on, report in newest.items():
        try:
            kept = read_inputs(read_bytes(current_archive(), report.inputs))["data"]["figures"]
        except (MissingError, DamagedError):
            continue
        told.append({"day": str(on), **{name: kept[name] for name in FIGURES}})
    return told


def history_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Two weeks of nights in charts; nothing where this is the first."""
    nights = [*data["history"], {"day": data["day"], **data["figures"]}]
    if len(nights) == 1:
        return
    yield Heading("The nights before", 2)
    for name, title in (("rounds", "Rounds judged"), ("findings", "Findings")):
        counts = [(_name(each), each[name]) for each in nights]
        yield counted_bars(f"{title}, night by night", counts, name)
    moved = [(_name(each), each["received"], each["owed"]) for each in nights]
    yield from money_by("Money, night by night", "Money, night by night", moved)


def _name(night: Mapping[str, Any]) -> str:
    return f"{date.fromisoformat(night['day']):%a, %b %-d}"
