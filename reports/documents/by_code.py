"""Findings by code, each code with what it says: what weighs most in money stands first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.judging.whose_money import Whose, whose
from reports.documents.wording import dollars
from reports.paper.blocks import Align, Column, Rows

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping


def players_money(pattern: Mapping[str, Any]) -> tuple[int, int]:
    """Cents that players received too much, and too little, by a pattern."""
    if whose(pattern["code"], pattern["wager"]) is not Whose.PLAYERS:
        return 0, 0
    return pattern["over"], pattern["under"]


def count(sums: MutableMapping[str, Any], pattern: Mapping[str, Any]) -> None:
    """Add a pattern's findings and what players received by it to the sums of its code."""
    over, under = players_money(pattern)
    sums["findings"] += pattern["findings"]
    sums["over"] += over
    sums["under"] += under


def codes_table(codes: Mapping[str, Mapping[str, Any]], title: str, name: str) -> Rows:
    """A row for each code; of whatever has it, `name` is counted under `title`."""
    found = sorted(
        codes.items(),
        key=lambda it: (-(it[1]["over"] + it[1]["under"]), -it[1]["findings"], it[0]),
    )
    return Rows(
        "codes",
        "Findings by code",
        (
            Column("Code"),
            Column("What it says"),
            Column(title, Align.NUMBERS),
            Column("Findings", Align.NUMBERS),
            Column("Players got too much", Align.NUMBERS),
            Column("Too little", Align.NUMBERS),
        ),
        tuple(
            (
                code,
                each["says"],
                f"{each[name]:,}",
                f"{each['findings']:,}",
                dollars(each["over"]),
                dollars(each["under"]),
            )
            for code, each in found
        ),
        "Nothing was found in any round.",
    )
