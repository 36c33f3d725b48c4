"""Reads a round log into columns, block by block: the fast path from text.

Plain lines of regular rounds are parsed in place. Every other line is passed on unchanged, with its
number, to the scalar parser; only that one rejects lines. Memory is limited to a few blocks,
whatever the size of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from games.log.columns import Columns, Level, Texts
from games.log.form import LONGEST_LINE, Rejection, too_long
from games.log.layout import KEYS, LATER_TEXTS, START, Part, Places, names_of, program_of
from games.log.lines import BrokenFileError, unpack
from games.log.parse import NEWLINE, find_lines, parse_lines
from games.log.scan import PADDING
from games.log.values import FOLLOW, LAST_SEAT, SPAN_BITS, STATE
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from numpy.typing import NDArray


BLOCK = 4 * 1024 * 1024
SHORTEST_ROUND = 128
SHORTEST_SEAT = 40
"""No round, and no seat, is written in fewer bytes; this bounds the size of a block's columns."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of a log. The columns are views that the next block overwrites."""

    first_line: int
    lines: int
    columns: tuple[Columns, ...]
    """One for each game found."""
    odd: tuple[tuple[int, bytes | Rejection], ...]
    """The other lines with their numbers, in order: for the scalar parser, or rejected unread."""


class _GameParser:
    """Room for one game's columns of a block, and what the parser learned about its lines."""

    def __init__(self, game: str, block: int) -> None:
        self.game = game
        self._names = names = names_of(game)
        self._rounds, self._seats = block // SHORTEST_ROUND + 2, block // SHORTEST_SEAT + 2
        words: list[dict[str, int]] = [{}, {}]
        cards: list[dict[str, int]] = [{}, {}]
        size = [0, 0]
        for level, (height, number_names, card_names) in enumerate(
            (
                (
                    self._rounds,
                    names.round_numbers + names.round_texts + LATER_TEXTS,
                    names.round_cards,
                ),
                (self._seats, names.seat_numbers + names.seat_texts, names.seat_cards),
            )
        ):
            for place, (columns, given) in enumerate(((number_names, words), (card_names, cards))):
                for name in columns:
                    given[level][name] = size[place]
                    size[place] += height
        self._word_places, self._card_places = words, cards
        self._words, self._cards = np.empty(size[0], np.int64), np.empty(size[1], np.uint8)
        self._program = program_of(
            game,
            Places(self._rounds, self._seats, {**words[0], **cards[0]}, {**words[1], **cards[1]}),
        )
        self._state = _first_state(self._program, self._seats - 1)
        self._lines = np.empty(self._rounds, np.int64)
        self._first_seat = np.empty(self._rounds + 1, np.int64)

    def parse(
        self,
        text: NDArray[np.uint8],
        bounds: tuple[NDArray[np.int64], NDArray[np.int64]],
        todo: NDArray[np.int64],
        left: NDArray[np.int64],
        first_line: int,
    ) -> tuple[Columns, int]:
        """Return this game's rounds among the lines of `todo`, and the count of the others."""
        rows, seats, others = parse_lines(
            text, *bounds, todo, self._program, self._state, self._words, self._cards,
            self._lines, self._first_seat, left,
        )  # fmt: skip
        names = self._names
        return Columns(
            self.game,
            self._level(
                0,
                rows,
                text,
                (names.round_numbers, names.round_cards, names.round_texts + self._later(rows)),
            ),
            self._level(1, seats, text, (names.seat_numbers, names.seat_cards, names.seat_texts)),
            self._first_seat[: rows + 1],
            self._lines[:rows] + first_line,
        ), others

    def _later(self, rows: int) -> tuple[str, ...]:
        """Return the texts of version 2 that some of the rounds have."""
        places = self._word_places[0]
        return tuple(
            name
            for name in LATER_TEXTS
            if (self._words[places[name] : places[name] + rows] >= 0).any()
        )

    def _level(
        self, level: int, rows: int, text: NDArray[np.uint8], names: tuple[tuple[str, ...], ...]
    ) -> Level:
        words, cards = self._word_places[level], self._card_places[level]
        numbers, card_names, texts = names
        return Level(
            {name: self._words[words[name] : words[name] + rows] for name in numbers},
            {name: self._cards[cards[name] : cards[name] + rows] for name in card_names},
            {name: _texts(text, self._words[words[name] : words[name] + rows]) for name in texts},
        )


def _texts(text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Texts:
    start = spans >> SPAN_BITS
    return Texts(text, start, np.where(spans < 0, -1, start + (spans & ((1 << SPAN_BITS) - 1))))


def _first_state(program: NDArray[np.int64], last_seat: int) -> NDArray[np.int64]:
    """Return the initial state: each key is expected to be followed by the next in the layout."""
    keys = int(program[KEYS])
    state = np.zeros(STATE, np.int64)
    state[LAST_SEAT] = last_seat
    follow = state[FOLLOW : FOLLOW + keys + len(Part)]
    for part in Part:
        first, end = int(program[START + part]), int(program[START + part + 1])
        follow[first:end] = np.minimum(np.arange(first, end) + 1, end - 1)
        follow[keys + part] = min(first, keys - 1)
    return state


class ColumnReader:
    """Reads one log, plain or compressed; `blocks` may be called once."""

    def __init__(self, stream: BinaryIO, block: int = BLOCK) -> None:
        self._pieces = unpack(stream)
        self._piece = b""
        self._size = block
        self._text = np.zeros(block + PADDING, np.uint8)
        self._bounds = (np.empty(block + 1, np.int64), np.empty(block + 1, np.int64))
        self._left = np.empty(block + 1, np.int64)
        self._parsers: dict[str, _GameParser] = {}
        self._games = list(SLUGS)
        self._broken: Rejection | None = None
        self.broken: BrokenFileError | None = None
        """Why the file couldn't be read to its end; its last block then contains only that."""

    def blocks(self) -> Iterator[Block]:
        """Yield the log, block by block."""
        filled, line = 0, 1
        ended = False
        while not ended:
            filled, ended = self._fill(filled)
            count, behind = find_lines(self._text, filled, *self._bounds)
            if count:
                yield self._block(line, count)
                line += count
            filled -= behind
            self._text[:filled] = self._text[behind : behind + filled]
            if filled == self._size and not ended:
                filled, ended = self._skip_line()
                yield Block(line, 1, (), ((line, self._broken or too_long()),))
                line += 1
                if self._broken:
                    return
        if self._broken:
            yield Block(line, 1, (), ((line, self._broken),))

    def _fill(self, filled: int) -> tuple[int, bool]:
        """Read more after what is buffered; at the end of the log the last line gets its newline.

        Where the file breaks off, the incomplete line is left out.
        """
        while filled < self._size:
            if not self._piece:
                try:
                    self._piece = next(self._pieces, b"")
                except BrokenFileError as error:
                    self._broken, self.broken = Rejection(None, str(error)), error
                if not self._piece:
                    return self._end(filled), True
            piece = np.frombuffer(self._piece[: self._size - filled], np.uint8)
            self._text[filled : filled + len(piece)] = piece
            self._piece = self._piece[len(piece) :]
            filled += len(piece)
        self._text[filled:] = 0
        return filled, False

    def _end(self, filled: int) -> int:
        if filled and not self._broken and self._text[filled - 1] != NEWLINE:
            self._text[filled] = NEWLINE
            filled += 1
        self._text[filled : filled + PADDING - 1] = 0
        return filled

    def _skip_line(self) -> tuple[int, bool]:
        """Skip the rest of a line that filled the block."""
        ended = False
        while not ended:
            filled, ended = self._fill(0)
            behind = self._text[:filled].tobytes().find(b"\n") + 1
            if behind:
                self._text[: filled - behind] = self._text[behind:filled]
                return filled - behind, ended and filled == behind
        return 0, True

    def _block(self, first_line: int, count: int) -> Block:
        start, stop = self._bounds
        long = stop[:count] - start[:count] > LONGEST_LINE
        todo = np.flatnonzero(~long)
        odd: list[int] = np.flatnonzero(long).tolist()
        columns: list[Columns] = []
        for game in tuple(self._games):
            if not len(todo):
                break
            got, others = self._parser(game).parse(
                self._text, self._bounds, todo, self._left, first_line
            )
            left = self._left[:others]
            odd += left[left >= 0].tolist()
            todo = -1 - left[left < 0]
            if len(got):  # a log's games are tried in the order in which they appeared
                self._games.remove(game)
                self._games.insert(len(columns), game)
                columns.append(got)
        odd += todo.tolist()
        return Block(
            first_line,
            count,
            tuple(columns),
            tuple((first_line + line, self._odd(line)) for line in sorted(odd)),
        )

    def _odd(self, line: int) -> bytes | Rejection:
        start, stop = int(self._bounds[0][line]), int(self._bounds[1][line])
        return self._text[start:stop].tobytes() if stop - start <= LONGEST_LINE else too_long()

    def _parser(self, game: str) -> _GameParser:
        if game not in self._parsers:
            self._parsers[game] = _GameParser(game, self._size)
        return self._parsers[game]
