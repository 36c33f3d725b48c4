"""In force on a day: what bound each game of an operator, from cut-off to cut-off, and why."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from compliance.gambling_day import day_start
from compliance.permissions import Action
from compliance.selectors.games import names_of_games
from compliance.selectors.in_force import cut_offs_of, in_force_between, zone
from reports.documents.kinds import About, DocumentKind, NothingToReportError, Told, register
from reports.documents.people import local, name_of
from reports.documents.wording import day, dollars, instant, said
from reports.models import ReportOrder
from reports.paper.blocks import (
    Align,
    Callout,
    Column,
    Facts,
    Heading,
    Mood,
    Points,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from compliance.models import Party
    from compliance.selectors.in_force import InForce
    from reports.paper.blocks import Block

NAME = "in_force_on_a_day"


def gather(about: About) -> dict[str, Any]:
    """Read what was in force for each game that was approved or that the controls name."""
    operator, on = _whose(about)
    cut_offs = cut_offs_of(operator)
    begin = day_start(on, cut_offs, zone())
    end = day_start(on + timedelta(days=1), cut_offs, zone())
    games = []
    for slug, name in names_of_games().items():
        spans = in_force_between(operator=operator, game=slug, table=None, begin=begin, end=end)
        if any(found.rule_version or found.controls for _, _, found in spans):
            told = _joined([_span(*each) for each in spans])
            games.append({"game": slug, "name": name, "spans": told})
    return {
        "operator": operator.name,
        "day": on.isoformat(),
        "begin": local(begin),
        "end": local(end),
        "games": games,
    }


def compose(data: Mapping[str, Any]) -> Told:
    """Set it in type, game by game."""
    blocks: list[Block] = [
        Words(
            f"The gambling day of {day(data['day'])} at {data['operator']} went from "
            f"{instant(data['begin'])} to {instant(data['end'])}. For each game it is said what "
            "bound it, cut wherever anything changed."
        )
    ]
    if not data["games"]:
        says = "No game was approved for this operator, and its controls name none."
        blocks.append(Callout("Nothing could be dealt", says, Mood.ATTENTION))
    front = len(blocks)
    for game in data["games"]:
        blocks.append(Heading(game["name"]))
        for span in game["spans"]:
            blocks += _told(game["game"], span, number=game["spans"].index(span) + 1)
    return Told(
        title=f"In force at {data['operator']} on {day(data['day'])}",
        blocks=tuple(blocks),
        contents=True,
        front=front,
    )


def _span(begin: datetime, end: datetime, found: InForce) -> dict[str, Any]:
    version, controls = found.rule_version, found.controls
    return {
        "begin": local(begin),
        "end": local(end),
        "reasons": [{"code": each.code, "says": each.text} for each in found.reasons],
        "rules": str(version) if version else None,
        "rule_set": version.rule_set if version else "",
        "controls": found.controls_version.number if found.controls_version else None,
        "readings": dict(sorted(found.interpretations.items())),
        "limits": [
            [table, wager, low, high]
            for table, wagers in (controls.tables.items() if controls else ())
            for wager, (low, high) in wagers.items()
        ],
        "aggregate_per_hand": controls.aggregate.per_hand if controls else None,
        "aggregate_per_deal": dict(controls.aggregate.per_deal) if controls else {},
        "cap": found.cap,
        "approvals": [
            {
                "kind": each.get_kind_display(),
                "by": name_of(each.by),
                "at": local(each.at),
                "digest": each.digest,
            }
            for each in found.approvals
        ],
    }


def _joined(spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join spans in which nothing differs: not every cut changed something."""
    joined: list[dict[str, Any]] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last is not None and last == {**span, "begin": last["begin"], "end": last["end"]}:
            last["end"] = span["end"]
        else:
            joined.append(span)
    return joined


def _told(game: str, span: Mapping[str, Any], *, number: int) -> Iterator[Block]:
    yield Heading(f"{instant(span['begin'])} to {instant(span['end'])}", 2)
    if span["reasons"]:
        yield Callout(
            "Not authorised", "\n".join(each["says"] for each in span["reasons"]), Mood.SERIOUS
        )
    else:
        yield Callout("Authorised", "Nothing kept this game from being dealt.", Mood.GOOD)
    yield Facts(
        (
            ("Rules of play", span["rules"] or "None"),
            ("Internal controls", f"Version {span['controls']}" if span["controls"] else "None"),
            ("Maximum aggregate", _aggregate(span)),
            *_cap(span["cap"], span["begin"][:10]),
        )
    )
    if span["rule_set"]:
        yield Facts((("Rule set", span["rule_set"]),), Align.CODES)
    if span["limits"]:
        yield Rows(
            f"limits-{game}-{number}",
            "Limits by table",
            (
                Column("Table"),
                Column("Wager"),
                Column("Minimum", Align.NUMBERS),
                Column("Maximum", Align.NUMBERS),
            ),
            tuple(
                (table, said(wager).capitalize(), dollars(low), dollars(high))
                for table, wager, low, high in span["limits"]
            ),
        )
    if span["readings"]:
        yield Words("Readings that were chosen, where they are not the default:")
        yield Points(tuple(f"{id_}: {said(each)}" for id_, each in span["readings"].items()))
    if span["approvals"]:
        yield Rows(
            f"approvals-{game}-{number}",
            "By whose word",
            (Column("Approval"), Column("By"), Column("On"), Column("Digest", Align.CODES)),
            tuple(
                (each["kind"], each["by"], instant(each["at"]), each["digest"])
                for each in span["approvals"]
            ),
        )


def _aggregate(span: Mapping[str, Any]) -> str:
    if span["aggregate_per_hand"] is not None:
        return f"{dollars(span['aggregate_per_hand'])} of each hand in play"
    per_deal = span["aggregate_per_deal"].items()
    return (
        "\n".join(f"{said(w).capitalize()}: {dollars(c)} of a deal" for w, c in per_deal) or "None"
    )


def _cap(cap: Mapping[str, Any] | None, on: str) -> list[tuple[str, str]]:
    if cap is None:
        return [("Legal cap of a wager", "None on file for this game")]
    value = cap["value"]
    amount = (
        "Not known: there was a value, and nobody has read it" if value is None else dollars(value)
    )
    through = cap["verified_through"]
    verified = day(through) if through else "Not verified"
    if through and on > through:
        verified += "; carried forward, nobody has checked since whether it still holds"
    return [
        ("Legal cap of a wager", amount),
        ("Citation", cap["citation"]),
        ("Filing", cap["filing"] or "–"),
        ("Verified through", verified),
        ("How sure", cap["grade"]),
    ]


def _whose(about: About) -> tuple[Party, date]:
    if about.party is None or about.day is None:
        message = "What was in force is asked of one operator and one day."
        raise NothingToReportError(message)
    return about.party, about.day


def _newest(about: About) -> int:
    """The number of the one that was ordered last: it is made anew for whoever asks for that."""
    orders = ReportOrder.objects.filter(kind=NAME, about=about.key).order_by("number")
    return orders.values_list("number", flat=True).last() or 1


def _shown_to(about: About) -> list[Party]:
    operator, _ = _whose(about)
    return [operator, *([operator.agency] if operator.agency else [])]


IN_FORCE_ON_A_DAY = register(
    DocumentKind(
        name=NAME,
        title="In force on a day",
        letters="IF",
        action=Action.SEE_CONTROLS,
        gather=gather,
        compose=compose,
        shown_to=_shown_to,
        edition=_newest,
    )
)
