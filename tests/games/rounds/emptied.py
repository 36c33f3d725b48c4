"""Rounds in which a hand has no cards: valid in form, and wrong."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

from .batches import Batch
from .table import deal_table

if TYPE_CHECKING:
    from collections.abc import Iterator

CARD_FIELDS = ("cards", "low", "three", "front", "middle", "back", "hands")


def emptied_batch(game: str) -> Batch:
    """Return played and void rounds of one game, each text of cards emptied in turn; no set-up."""
    batch = Batch(game, {})
    for round_ in deal_table(Random("no cards"), game, "T1", 12, {}):
        for one in (round_, round_ | {"void": "fire"}):
            for place, line in without_cards(one):
                batch.planted[len(batch.lines)] = place
                batch.lines.append(line)
    return batch


def without_cards(round_: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the line of a round with each of its texts of cards emptied in turn, and where."""
    if round_["game"] == "pick-2-poker":
        round_["house"].setdefault("three", "")
    house = [("house", round_["house"])] if "house" in round_ else []
    for name, holder in [*house, *((f"seat {seat['seat']}", seat) for seat in round_["seats"])]:
        for field in [field for field in CARD_FIELDS if field in holder]:
            before = holder[field]
            for emptied in ways(before):
                holder[field] = emptied
                yield f"{name}, {field}: {emptied}", json.dumps(round_).encode() + b"\n"
            holder[field] = before


def ways(before: str | list[str]) -> list[str] | list[list[str]]:
    """Return no cards at all, none in the first hand, none in the last."""
    if isinstance(before, str):
        return [""]
    return [[""] * len(before), ["", *before[1:]], [*before[:-1], ""]]
