"""Terms in effect on a day for each game of an operator, from cut-off to cut-off, and why."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from compliance.access.permissions import Action
from compliance.clock import zone
from compliance.filings.controls.reads import list_cut_offs
from compliance.filings.games.rules import rules_of_version
from compliance.filings.requests.reads import game_names
from compliance.in_effect.reads import find_table_terms, find_terms_between
from compliance.law.gambling_day import day_start
from games.explanation.words import describe_name, name_in_words
from reports.documents.models import ReportOrder
from reports.documents.registry import (
    About,
    DocumentKind,
    NothingToReportError,
    ReportContent,
    register,
)
from reports.documents.wording import day, dollars, instant, local, name_of
from reports.rendering.blocks import (
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

    from compliance.access.models import Party
    from compliance.in_effect.reads import TermsInEffect
    from reports.rendering.blocks import Block


NAME = "in_effect_on_a_day"


def gather(about: About) -> dict[str, Any]:
    """Read what was in effect for each game that was approved or is named in the controls."""
    operator, on = _whose(about)
    cut_offs = list_cut_offs(operator)
    begin = day_start(on, cut_offs, zone())
    end = day_start(on + timedelta(days=1), cut_offs, zone())
    games = []
    for slug, name in game_names().items():
        spans = find_terms_between(operator=operator, game=slug, table=None, begin=begin, end=end)
        if any(found.rule_version or found.controls for _, _, found in spans):
            periods = _joined([_span(*each) for each in spans])
            games.append({"game": slug, "name": name, "spans": periods})
    return {
        "operator": operator.name,
        "day": on.isoformat(),
        "begin": local(begin),
        "end": local(end),
        "games": games,
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report, game by game."""
    blocks: list[Block] = [
        Words(
            f"The gambling day of {day(data['day'])} at {data['operator']} went from "
            f"{instant(data['begin'])} to {instant(data['end'])}. For each game, this report "
            "gives the rules, controls and limits in effect, with a new heading at each change."
        )
    ]
    if not data["games"]:
        says = "No game was approved for this operator, and its controls name none."
        blocks.append(Callout("Nothing could be dealt", says, Mood.ATTENTION))
    front = len(blocks)
    for game in data["games"]:
        blocks.append(Heading(game["name"]))
        for span in game["spans"]:
            blocks += _span_blocks(game["game"], span, number=game["spans"].index(span) + 1)
    return ReportContent(
        title=f"In effect at {data['operator']} on {day(data['day'])}",
        blocks=tuple(blocks),
        contents=True,
        front=front,
    )


def _span(begin: datetime, end: datetime, found: TermsInEffect) -> dict[str, Any]:
    version, controls = found.rule_version, found.controls
    known = {} if found.chosen is None else rules_of_version(found.chosen).interpretations
    return {
        "begin": local(begin),
        "end": local(end),
        "reasons": [{"code": each.code, "says": each.text} for each in found.reasons],
        "rules": str(version) if version else None,
        "definition": found.definition or "",
        "pay_tables": [
            [describe_name(wager), name_in_words(each.name), each.digest]
            for wager, each in found.pay_tables.items()
        ],
        "at_tables": [_at_table(table, each) for table, each in find_table_terms(found).items()],
        "controls": found.controls_version.number if found.controls_version else None,
        "readings": {
            id_: known[id_].readings[name]
            for id_, name in sorted(found.interpretations.items())
            if id_ in known
        },
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


def _at_table(table: str, found: TermsInEffect) -> list[str]:
    """Return what one table plays otherwise than the game's other tables."""
    version = found.rule_version
    pays = [
        f"{describe_name(wager)}: {name_in_words(each.name)}"
        for wager, each in found.pay_tables.items()
    ]
    known = {} if found.chosen is None else rules_of_version(found.chosen).interpretations
    assert found.controls is not None  # noqa: S101 - the controls name the table
    readings = found.controls.by_table[table].interpretations
    return [
        table,
        str(version) if version else "None",
        "\n".join(pays) or "–",
        "\n".join(
            f"{id_}: {known[id_].readings[name]}" for id_, name in readings.items() if id_ in known
        )
        or "–",
        "\n".join(each.text for each in found.reasons) or "Authorized",
    ]


def _joined(spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join adjacent spans without differences, since not every boundary changes something."""
    joined: list[dict[str, Any]] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last is not None and last == {**span, "begin": last["begin"], "end": last["end"]}:
            last["end"] = span["end"]
        else:
            joined.append(span)
    return joined


def _span_blocks(game: str, span: Mapping[str, Any], *, number: int) -> Iterator[Block]:
    yield Heading(f"{instant(span['begin'])} to {instant(span['end'])}", 2)
    if span["reasons"]:
        yield Callout(
            "Not authorized", "\n".join(each["says"] for each in span["reasons"]), Mood.SERIOUS
        )
    else:
        yield Callout("Authorized", "This game was approved and could be dealt.", Mood.GOOD)
    yield Facts(
        (
            ("Rules of play", span["rules"] or "None"),
            ("Internal controls", f"Version {span['controls']}" if span["controls"] else "None"),
            ("Maximum aggregate", _aggregate(span)),
            *_cap(span["cap"], span["begin"][:10]),
        )
    )
    if span.get("definition"):
        yield Facts((("Digest of the rules as approved", span["definition"]),), Align.CODES)
    if span.get("pay_tables"):
        yield Rows(
            f"pay-tables-{game}-{number}",
            "Pay tables",
            (Column("Wager"), Column("Pay table"), Column("Digest", Align.CODES)),
            tuple(tuple(row) for row in span["pay_tables"]),
        )
    if span.get("at_tables"):
        yield Rows(
            f"at-tables-{game}-{number}",
            "Tables with different choices",
            (
                Column("Table"),
                Column("Rules of play"),
                Column("Pay tables"),
                Column("Interpretations"),
                Column("State"),
            ),
            tuple(tuple(row) for row in span["at_tables"]),
        )
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
                (table, describe_name(wager), dollars(low), dollars(high))
                for table, wager, low, high in span["limits"]
            ),
        )
    if span["readings"]:
        yield Words("Interpretations chosen:")
        yield Points(tuple(f"{id_}: {says}" for id_, says in span["readings"].items()))
    if span["approvals"]:
        yield Rows(
            f"approvals-{game}-{number}",
            "Approvals",
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
    return "\n".join(f"{describe_name(w)}: {dollars(c)} of a deal" for w, c in per_deal) or "None"


def _cap(cap: Mapping[str, Any] | None, on: str) -> list[tuple[str, str]]:
    if cap is None:
        return [("Legal cap of a wager", "None on file for this game")]
    value = cap["value"]
    amount = (
        "Not known: there was a value, but it has not been verified"
        if value is None
        else dollars(value)
    )
    through = cap["verified_through"]
    verified = day(through) if through else "Not verified"
    if through and on > through:
        verified += "; carried forward, nobody has checked since whether it is still in effect"
    return [
        ("Legal cap of a wager", amount),
        ("Citation", cap["citation"]),
        ("Filing", cap["filing"] or "–"),
        ("Verified through", verified),
        ("How sure", cap["grade"]),
    ]


def _whose(about: About) -> tuple[Party, date]:
    if about.party is None or about.day is None:
        message = "Choose one operator and one day."
        raise NothingToReportError(message)
    return about.party, about.day


def _newest(about: About) -> int:
    """Return the number of the newest order, because this report is made anew for each request."""
    orders = ReportOrder.objects.filter(kind=NAME, about=about.key).order_by("number")
    return orders.values_list("number", flat=True).last() or 1


def _shown_to(about: About) -> list[Party]:
    operator, _ = _whose(about)
    return [operator, *([operator.agency] if operator.agency else [])]


IN_EFFECT_ON_A_DAY = register(
    DocumentKind(
        name=NAME,
        title="In effect on a day",
        letters="IF",
        action=Action.SEE_CONTROLS,
        gather=gather,
        compose=compose,
        shown_to=_shown_to,
        edition=_newest,
    )
)
