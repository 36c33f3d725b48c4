"""Convert a file by a mapping: the same file and mapping always make the same round log."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from audits.intake.mapping.errors import TableError
from audits.intake.mapping.filed_games import nothing_filed
from audits.intake.mapping.rounds import convert
from audits.intake.mapping.tables import read_table
from audits.intake.segments.converted import read_converted
from games.log.form import Record, Rejection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from audits.intake.mapping.definition import Definition
    from audits.intake.mapping.filed_games import Known
    from audits.intake.mapping.rounds import Converted
    from audits.intake.mapping.tables import Row
    from games.log.form import LineObject
    from games.log.round import Round


REPORT_EVERY: Final = 500


def convert_file(
    definition: Definition,
    path: Path,
    folder: Path,
    known: Known = nothing_filed,
    *,
    progress: Callable[[int], None] = lambda rounds: None,
) -> Path:
    """Write the round log that a file makes; return its path in `folder`.

    A line is a round, or says why its rows make none.

    Raises:
        TableError: the file is not as the mapping says, or no row of it makes a round.
    """
    out = folder / "converted.jsonl"
    ends = array("Q")
    first = good = 0
    reason = ""
    with out.open("wb") as file:
        rows = read_table(path, definition.layout, folder)
        for number, each in enumerate(convert(definition, rows, known)):
            first += file.write(each.line() + b"\n")
            ends.append(first)
            good += each.round is not None
            reason = reason or (each.line().decode() if each.round is None else "")
            if number % REPORT_EVERY == 0:
                progress(number)
    if not good:
        raise TableError(_none(definition, reason))
    return _reversed(out, ends, folder) if definition.newest_first else out


def _none(definition: Definition, line: str) -> str:
    read = read_converted(line.encode())
    first = f" {read.reason[:1].upper()}{read.reason[1:]}" if isinstance(read, Rejection) else ""
    return (
        f'No row of the file makes a round with the mapping "{definition.name}".{first} '
        "Check that this is the right file and the right mapping."
    )


def _reversed(path: Path, ends: array[int], folder: Path) -> Path:
    out = folder / "oldest-first.jsonl"
    with path.open("rb") as file, out.open("wb") as turned:
        for place in range(len(ends) - 1, -1, -1):
            begin = ends[place - 1] if place else 0
            file.seek(begin)
            turned.write(file.read(ends[place] - begin))
    return out


SAMPLE_ROUNDS: Final = 200
MOST_ERRORS: Final = 20


@dataclass(frozen=True)
class Problem:
    """Why some rows of a sample make no round."""

    rows: tuple[int, ...]
    field: str
    reason: str
    round: str


@dataclass(frozen=True)
class Sample:
    """What the first rounds of a file become."""

    rounds: int
    good: int
    examples: tuple[Converted, ...]
    problems: tuple[Problem, ...]


def convert_sample(
    definition: Definition,
    rows: Iterable[Row],
    known: Known = nothing_filed,
    filed: Mapping[str, Callable[[LineObject], Round]] = MappingProxyType({}),
) -> Sample:
    """Convert the first rounds of these rows, and check each as a line of a round log.

    Raises:
        TableError: the file is not as the mapping says.
    """
    made = list(islice(convert(definition, rows, known), SAMPLE_ROUNDS))
    good: list[Converted] = []
    problems: list[Problem] = []
    for each in made:
        read = read_converted(each.line(), filed)
        if not isinstance(read, Rejection) or isinstance(read, Record):
            good.append(each)
            continue
        reason = each.reason or read.reason
        problems.append(Problem(each.rows, read.field or each.field, reason, read.round or each.id))
    return Sample(len(made), len(good), tuple(good[:3]), tuple(problems[:MOST_ERRORS]))
