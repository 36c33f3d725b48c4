"""The restitution schedule: who was overpaid or underpaid, by day, table and player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.review.restitution.reads import NOBODY, restitution
from compliance.access.permissions import Action
from compliance.filings.requests.reads import game_names
from reports.documents.days import closing_checkpoint, edition_of, readers_of, require_audited_day
from reports.documents.registry import About, DocumentKind, ReportContent, register
from reports.documents.wording import counted, dollars
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Callout, Column, Facts, Heading, Mood, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block

LARGEST = 10
SAYS = (
    "From payout findings alone: what a seat received (under a maximum aggregate, all hands of a "
    "deal) against what the rules give. One player's overpayment is not set off against another "
    "player's underpayment, nor against the same player's in another round."
)


def owed_on(day: GamblingDay) -> list[dict[str, Any]]:
    """Return each player's total at each table, the largest amount owed first."""
    names = game_names()
    rows = [
        {
            "game": names[each.game],
            "table": each.table,
            "player": each.player,
            "findings": each.findings,
            "owed": each.owed,
            "received": each.received,
        }
        for each in restitution(operator=day.party, day=day.day)
    ]
    return sorted(rows, key=lambda it: (-it["owed"], -it["received"], it["table"], it["player"]))


def money_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return a schedule's totals: cents and named players in both directions."""
    return {
        "owed": sum(each["owed"] for each in rows),
        "received": sum(each["received"] for each in rows),
        "players_owed": len({each["player"] for each in rows if each["owed"] and each["player"]}),
        "players_received": len(
            {each["player"] for each in rows if each["received"] and each["player"]}
        ),
        "nameless": sum(each["findings"] for each in rows if not each["player"]),
    }


def restitution_blocks(
    money: Mapping[str, int], largest: Sequence[Mapping[str, Any]], rows: int
) -> Iterator[Block]:
    """Yield the totals, and the largest of the `rows`."""
    yield Heading("Restitution")
    yield Words(SAYS, quiet=True)
    yield _sums(money)
    more = rows - len(largest)
    yield _table(f"The {len(largest)} largest sums" if more else "By player and table", largest)
    if more:
        yield Words(f"{more:,} more rows stand in the restitution schedule of this day.")


def gather(about: About) -> dict[str, Any]:
    """Read what each player is owed."""
    day = require_audited_day(about)
    rows = owed_on(day)
    return {
        "operator": day.party.name,
        "day": day.day.isoformat(),
        "replay": str(day.current.uuid) if day.current else None,
        "digest": day.current.digest if day.current else None,
        "engine": day.current.engine if day.current else "",
        "money": money_of(rows),
        "rows": rows,
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report."""
    owed = data["money"]["owed"]
    blocks: list[Block] = [
        Callout(
            f"{dollars(owed)} underpaid" if owed else "Nothing is owed",
            f"{data['operator']}, gambling day of {day_in_words(data['day'])}. {SAYS}",
            Mood.ATTENTION if owed else Mood.GOOD,
        ),
        _sums(data["money"]),
        _table("By player and table", data["rows"]),
    ]
    if data["replay"]:
        blocks.append(
            Facts((("Replay", data["replay"]), ("Findings", data["digest"])), Align.CODES)
        )
    return ReportContent(
        title=f"Restitution schedule of {data['operator']}, {day_in_words(data['day'])}",
        blocks=tuple(blocks),
    )


def _sums(money: Mapping[str, int]) -> Facts:
    rows = [
        (
            "Underpaid",
            f"{dollars(money['owed'])}, {counted(money['players_owed'], 'player')}",
        ),
        (
            "Overpaid",
            f"{dollars(money['received'])}, {counted(money['players_received'], 'player')}",
        ),
    ]
    if money["nameless"]:
        rows.append(
            ("To no one player", f"{counted(money['nameless'], 'payment')}, or sums of a deal")
        )
    return Facts(tuple(rows))


def _table(caption: str, rows: Sequence[Mapping[str, Any]]) -> Rows:
    return Rows(
        "restitution",
        caption,
        (
            Column("Player"),
            Column("Game"),
            Column("Table"),
            Column("Payments", Align.NUMBERS),
            Column("Underpaid", Align.NUMBERS),
            Column("Overpaid", Align.NUMBERS),
        ),
        tuple(
            (
                each["player"] or NOBODY,
                each["game"],
                each["table"],
                f"{each['findings']:,}",
                dollars(each["owed"]),
                dollars(each["received"]),
            )
            for each in rows
        ),
        "No player was overpaid or underpaid.",
    )


RESTITUTION = register(
    DocumentKind(
        name="restitution",
        title="Restitution schedule",
        letters="RS",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=readers_of,
        checkpoint=closing_checkpoint,
        edition=edition_of,
    )
)
