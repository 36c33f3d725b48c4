"""The filter's answers to certain rounds: the expected results are those logged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import numpy as np

from games.kernel import jit
from games.log.scan import memory_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.log.columns import Columns


KEYS: Final = {
    "pyramid-poker": ("main", "three_card", "six_card"),
    "chinese-poker": ("total",),
    "pick-2-poker": ("ante", "play", "bonus_3_5", "bonus_5"),
    "showdown": ("showdown", "surrender", "pot"),
    "casino-version": ("points", "ante", "buy_in"),
}
"""Result keys in the same order as in scalar settlement."""

LONGEST_NUMBER: Final = 20
LONGEST_ID: Final = 64

# Places of the fixed pieces; the result keys follow them, each with its colon.
LINE, ROUND, OK, HOUSE, HOUSE_END, SEATS, SEAT, EXPECTED, SEAT_END, NEXT, END = range(11)


@jit
def put_piece(out, at, pieces, ends, piece):  # type: ignore[no-untyped-def]
    """Copy a fixed piece; return the position after it."""
    for place in range(ends[piece], ends[piece + 1]):
        out[at] = pieces[place]
        at += 1
    return at


@jit
def put_number(out, at, number):  # type: ignore[no-untyped-def]
    """Write a number in decimal; return the position after it."""
    if number < 0:
        out[at] = 45
        at += 1
        number = -number
    digits = 1
    rest = number // 10
    while rest:
        digits += 1
        rest //= 10
    for place in range(at + digits - 1, at - 1, -1):
        out[place] = 48 + number % 10
        number //= 10
    return at + digits


@jit
def put_answers(  # type: ignore[no-untyped-def]
    out_array, pieces_array, ends_array, lines, ids, id_start, id_stop, first_seat, seats, results,
    banker, house_result, certain, behind,
):  # fmt: skip
    """Write the answers to certain rounds one after another; `behind` gets where each ends."""
    out, pieces, ends = memory_of(out_array), memory_of(pieces_array), memory_of(ends_array)
    text = memory_of(ids)
    at = 0
    for row in range(certain.size):
        if certain[row]:
            at = put_piece(out, at, pieces, ends, LINE)
            at = put_number(out, at, lines[row])
            at = put_piece(out, at, pieces, ends, ROUND)
            for place in range(id_start[row], id_stop[row]):
                out[at] = text[place]
                at += 1
            at = put_piece(out, at, pieces, ends, OK)
            if banker[row] > 0:
                at = put_piece(out, at, pieces, ends, HOUSE)
                at = put_number(out, at, house_result[row])
                at = put_piece(out, at, pieces, ends, HOUSE_END)
            at = put_piece(out, at, pieces, ends, SEATS)
            for seat in range(first_seat[row], first_seat[row + 1]):
                if seat > first_seat[row]:
                    at = put_piece(out, at, pieces, ends, NEXT)
                at = put_piece(out, at, pieces, ends, SEAT)
                at = put_number(out, at, seats[seat])
                at = put_piece(out, at, pieces, ends, EXPECTED)
                for key in range(len(results)):
                    at = put_piece(out, at, pieces, ends, END + 1 + key)
                    at = put_number(out, at, results[key][seat])
                at = put_piece(out, at, pieces, ends, SEAT_END)
            at = put_piece(out, at, pieces, ends, END)
        behind[row] = at
    return at


class Answers:
    """Writes the answers of one log; `log` is its name if the answers include it."""

    def __init__(self, game: str, log: str | None) -> None:
        self._keys = KEYS[game]
        begin = "{" if log is None else f'{{"log":{json.dumps(log, ensure_ascii=False)},'
        pieces = [
            f'{begin}"line":', ',"round":"', '","status":"ok"',
            ',"house":{"expected":{"main":', "}}",
            ',"seats":[', '{"seat":', ',"expected":{', "}}", ",", '],"findings":[]}\n',
            *(f'{"," if place else ""}"{key}":' for place, key in enumerate(self._keys)),
        ]  # fmt: skip
        raw = [piece.encode() for piece in pieces]
        self._pieces = np.frombuffer(bytearray(b"".join(raw)), np.uint8)
        self._ends = np.cumsum([0, *map(len, raw)])
        fixed = sum(len(piece) for piece in raw[: END + 1])
        self._per_round = fixed + LONGEST_ID + 2 * LONGEST_NUMBER
        self._per_seat = sum(map(len, raw)) + LONGEST_NUMBER * (1 + len(self._keys))

    def write(
        self, columns: Columns, certain: NDArray[np.uint8]
    ) -> tuple[memoryview, NDArray[np.int64]]:
        """Return the answers to certain rounds in order, and where each row's ends."""
        size = self._per_round * len(columns) + self._per_seat * int(columns.first_seat[-1])
        out = np.empty(size, np.uint8)
        behind = np.empty(len(columns), np.int64)
        ids, numbers = columns.rounds.texts["round"], columns.rounds.numbers
        none = np.zeros(len(columns), np.int64)
        written = put_answers(
            out, self._pieces, self._ends, columns.lines, ids.data, ids.start, ids.stop,
            columns.first_seat, columns.seats.numbers["seat"],
            tuple(columns.seats.numbers[f"result_{key}"] for key in self._keys),
            numbers.get("banker", none), numbers.get("house_result", none), certain, behind,
        )  # fmt: skip
        return out[:written].data, behind
