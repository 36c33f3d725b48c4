"""What a round's log says of errors in it: who dealt it, and what each seat had at stake."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from audits.intake.segments.segment_file import read_segment
from audits.watch.gather import columns_of
from games.log.form import read_written
from games.log.round import FiledRound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from games.log.columns import Columns

WAGER, RESULT = "wager_", "result_"
"""How columns of wagers and results begin."""


class Staked(NamedTuple):
    """A wager at a seat: whose it is, what it came to, and all that was chosen at the seat."""

    seat: int
    player: str
    amount: int
    result: int
    choices: tuple[str, ...]
    """The seat's wagers, and what it decided."""


class Worked(NamedTuple):
    """Who dealt a round, and in which shift; None where the log doesn't say."""

    dealer: str | None
    shift: str | None
    staked: Mapping[str, Sequence[Staked]] = MappingProxyType({})
    """By wager, the seats with it; not of a round in which a player banks."""


def find_worked(path: Path, rounds: set[str]) -> dict[str, Worked]:
    """Return who dealt these rounds of a segment's file, and when, as far as the log says.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    found: dict[str, Worked] = {}
    for group in read_segment(path):
        for columns in columns_of(group):
            texts = columns.rounds.texts
            dealers, shifts = columns.rounds.text("dealer_id"), columns.rounds.text("shift")
            for row in range(len(columns)):
                if (id_ := texts["round"][row]) in rounds:
                    found[str(id_)] = Worked(dealers[row], shifts[row], _staked(columns, row))
        for _, line in group.odd:
            if isinstance(read := read_written(line), FiledRound) and read.round in rounds:
                found[read.round] = Worked(read.dealer_id, read.shift, _staked_filed(read))
    return found


def _staked(columns: Columns, row: int) -> dict[str, list[Staked]]:
    banker = columns.rounds.numbers.get("banker")
    if banker is not None and banker[row]:
        return {}
    seats = columns.seats
    wagers = [name for name in seats.numbers if name.startswith(WAGER)]
    found: dict[str, list[Staked]] = {}
    for seat in range(*columns.first_seat[row : row + 2].tolist()):
        amounts = {name.removeprefix(WAGER): int(seats.numbers[name][seat]) for name in wagers}
        placed = {wager: amount for wager, amount in amounts.items() if amount > 0}
        for wager, amount in placed.items():
            found.setdefault(wager, []).append(
                Staked(int(seats.numbers["seat"][seat]), seats.texts["player"][seat] or "", amount,
                       int(seats.numbers[f"{RESULT}{wager}"][seat]), tuple(sorted(placed)))
            )  # fmt: skip
    return found


def _staked_filed(played: FiledRound) -> dict[str, list[Staked]]:
    found: dict[str, list[Staked]] = {}
    for seat in played.line["seats"] if "banker" not in played.line else ():
        placed = {wager: amount for wager, amount in (seat.get("wagers") or {}).items() if amount}
        decided = [str(each) for each in sorted((seat.get("choices") or {}).items())]
        actions = [str(hand.get("actions")) for hand in seat.get("hands") or ()]
        for wager, amount in placed.items():
            found.setdefault(wager, []).append(
                Staked(seat["seat"], seat.get("player") or "", amount,
                       (seat.get("result") or {}).get(wager, 0),
                       (*sorted(placed), *decided, *actions))
            )  # fmt: skip
    return found
