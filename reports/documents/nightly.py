"""The nightly audit report: one operator's gambling day, all that was found and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.selectors.findings import shares_of
from audits.selectors.segments import current_segments
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.permissions import Action
from compliance.selectors.games import names_of_games
from reports.documents.kinds import About, DocumentKind, Told, register
from reports.documents.night_charts import charts_blocks, counts_of
from reports.documents.night_days import (
    closing_checkpoint,
    edition_of,
    readers_of,
    told_day,
)
from reports.documents.night_first_page import first_page
from reports.documents.night_history import history_blocks, history_of
from reports.documents.night_method import method_blocks, method_of
from reports.documents.night_missing import (
    lacking_on,
    logs_on,
    missing_blocks,
    rejected_blocks,
    rejected_on,
)
from reports.documents.night_patterns import patterns_blocks, patterns_of_night
from reports.documents.night_terms import (
    refused_blocks,
    terms_blocks,
    terms_of_night,
    unverified_blocks,
)
from reports.documents.night_waivers import waivers_blocks, waivers_on
from reports.documents.people import local
from reports.documents.restitution import LARGEST, money_of, owed_on, restitution_blocks
from reports.documents.wording import day as day_in_words
from reports.inputs import read_inputs
from reports.models import Report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from audits.models import GamblingDay
    from reports.paper.blocks import Block

NAME = "nightly"


def gather(about: About) -> dict[str, Any]:
    """Read all that is known of the night by its current replay."""
    day = told_day(about)
    segments = current_segments(day.party, day=day.day)
    owed, names = owed_on(day), names_of_games()
    patterns = patterns_of_night(day)
    lacking, rejected = lacking_on(day), rejected_on(day)
    terms = terms_of_night(day)
    return {
        "operator": day.party.name,
        "code": day.party.code,
        "day": day.day.isoformat(),
        "begins": local(day.begins),
        "ends": local(day.ends),
        "closes": local(day.closes),
        "closed": local(day.closed) if day.closed else None,
        "supplements": day.supplements,
        "figures": {
            **_figures(day, patterns),
            "games": sorted({names[each.game] for each in segments}),
            "patterns": len(patterns),
            "undecided": sum(not each["decided"] for each in patterns),
            "rejected": sum(each["count"] for each in rejected),
            "lacking": len(lacking),
            "unverified": sum(
                each["rounds"] for each in patterns if each["code"] == "limit.unverified"
            ),
            **money_of(owed),
        },
        "engine": day.current.engine if day.current else "",
        "method": method_of(day),
        "patterns": patterns,
        "terms": terms,
        "lacking": lacking,
        "logs": logs_on(day),
        "rejected": rejected,
        "owed": owed[:LARGEST],
        "owed_rows": len(owed),
        "counts": counts_of(day),
        "before": _before(about, day),
        "waivers": waivers_on(day, [each["game"] for each in terms]),
        "history": history_of(day, NAME),
    }


def compose(data: Mapping[str, Any]) -> Told:
    """Set it in type: what matters on the first page, then what it rests on.

    Inputs that were kept before there were waivers and a history in them are set without.
    """
    front = tuple(first_page(data))
    blocks: list[Block] = [
        *front,
        *patterns_blocks(data["patterns"]),
        *restitution_blocks(data["figures"], data["owed"], data["owed_rows"]),
        *missing_blocks(data["lacking"]),
        *rejected_blocks(data["rejected"]),
        *unverified_blocks(data["terms"], data["patterns"]),
        *refused_blocks(data["terms"]),
        *terms_blocks(data["terms"]),
        *(waivers_blocks(data["waivers"]) if "waivers" in data else ()),
        *charts_blocks(data["counts"], data["patterns"]),
        *(history_blocks(data) if "history" in data else ()),
        *method_blocks(data),
    ]
    return Told(
        title=f"Nightly audit of {data['operator']}, {day_in_words(data['day'])}",
        blocks=tuple(blocks),
        contents=True,
        front=len(front),
    )


def _figures(day: GamblingDay, patterns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the shares of the day counted; an irregular round is one with findings, too."""
    names = ("rounds", "seats", "flagged", "findings")
    sums = dict.fromkeys(names, 0)
    if day.current is not None:
        for row in shares_of(day).values_list(*names):
            for name, value in zip(names, row, strict=True):
                sums[name] += value
    sums["flagged"] += sum(each["rounds"] for each in patterns if each["code"] == "irregular")
    return sums


def _before(about: About, day: GamblingDay) -> dict[str, Any] | None:
    """The report that this one supplements, its figures, how its findings stand now."""
    made = Report.objects.filter(kind=NAME, about=about.key).order_by("number").last()
    if made is None:
        return None
    kept = read_inputs(read_bytes(current_archive(), made.inputs))["data"]
    standing = day.current.standings.get(str(day.day), {}) if day.current else {}
    return {
        "reference": made.reference,
        "body": made.body,
        "figures": kept["figures"],
        "standing": {
            name: standing[name]
            for name in ("confirmed", "changed", "gone", "new")
            if name in standing
        },
    }


NIGHTLY = register(
    DocumentKind(
        name=NAME,
        title="Nightly audit report",
        letters="NA",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=readers_of,
        checkpoint=closing_checkpoint,
        edition=edition_of,
    )
)
