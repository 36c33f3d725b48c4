"""`python -m games convert`: a round log as columns, and columns as a round log again.

`convert LOG ... --to FOLDER` writes `FOLDER/NAME.GAME.parquet` for every game in a log and lists
what it wrote. `convert FILE.parquet ...` writes the rounds as lines to standard output. Exit
status: 0 for success, 1 if lines were rejected (named on standard error), 2 for invalid arguments.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from games.commands.call import CallError, readable, refuse
from games.log.form import Record, Rejection, line_of, read_line
from games.log.parquet import ColumnWriter, read_groups, to_table
from games.log.reader import ColumnReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.log.reader import Block
    from games.log.round import Round

DONE: Final = 0
REJECTED: Final = 1
SHOWN: Final = 20
"""The number of rejected lines to name; the rest are only counted."""


def run(arguments: Sequence[str]) -> int:
    """Convert, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m games convert",
        description="Write round logs as Parquet, or Parquet as round-log lines.",
        allow_abbrev=False,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="round logs, or .parquet files")
    parser.add_argument("--to", metavar="FOLDER", help="where Parquet is written")
    call = parser.parse_args(arguments)
    try:
        readable(call.files)
        return _convert([Path(file) for file in call.files], call.to)
    except CallError as error:
        return refuse(error)


def _convert(files: list[Path], folder: str | None) -> int:
    packed = [file for file in files if file.suffix == ".parquet"]
    if packed and (folder is not None or len(packed) < len(files)):
        message = "convert takes logs with --to FOLDER, or .parquet files without it."
        raise CallError(message)
    if not packed and folder is None:
        message = "convert wants a folder to write to: --to FOLDER."
        raise CallError(message)
    try:
        if packed:
            return _to_lines(packed)
        return max(_to_columns(file, Path(str(folder))) for file in files)
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"{error.filename or files[0]}: {error.strerror or error}."
        raise CallError(message) from None


def _to_lines(files: list[Path]) -> int:
    out = sys.stdout.buffer
    for file in files:
        try:
            for group in read_groups(file):
                rounds = zip(group.columns.lines.tolist(), group.columns.to_rounds(), strict=True)
                lines = [(line, line_of(played)) for line, played in rounds]
                for _, text in sorted([*lines, *group.odd]):
                    out.write(text + b"\n")
        except ValueError as error:  # includes Arrow's own errors
            message = f"{file} cannot be converted: {error}"
            raise CallError(message) from None
    return DONE


class _Conversion:
    """The files that one log becomes, one for each game in it."""

    def __init__(self, log: Path, folder: Path) -> None:
        self._log = log
        self._folder = folder
        self._writers: dict[str, ColumnWriter] = {}
        self._counts: dict[str, int] = {}
        self.rejected = 0

    def add(self, block: Block) -> None:
        """Add a block's rounds; count its rejected lines and name the first ones."""
        odd: dict[str, list[tuple[int, Round, bytes]]] = {}
        for line, text in block.odd:
            read = text if isinstance(text, Rejection) else read_line(text)
            if isinstance(read, Record):
                continue  # no round, and nothing for a column
            if isinstance(read, Rejection) or isinstance(text, Rejection):
                self._reject(line, read)
            else:
                odd.setdefault(read.game, []).append((line, read, text))
        columns = {given.game: given for given in block.columns}
        for game in {**columns, **odd}:
            table = to_table(game, columns.get(game), odd.get(game, ()))
            self._writer(game).write(table)
            self._counts[game] = self._counts.get(game, 0) + len(table)

    def close(self, *, whole: bool) -> None:
        """Close the files; only those of a complete log get their final names."""
        for game, writer in self._writers.items():
            writer.close()
            path = self._path(game)
            if whole:
                self._aside(path).replace(path)
                sys.stdout.write(f"{path}: {self._counts[game]:,} rounds\n")
            else:
                self._aside(path).unlink()

    def _writer(self, game: str) -> ColumnWriter:
        if game not in self._writers:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._writers[game] = ColumnWriter(self._aside(self._path(game)), game)
        return self._writers[game]

    def _path(self, game: str) -> Path:
        name = self._log.name.removesuffix(".gz").removesuffix(".zst").removesuffix(".jsonl")
        return self._folder / f"{name}.{game}.parquet"

    @staticmethod
    def _aside(path: Path) -> Path:
        return path.with_name(path.name + ".part")

    def _reject(self, line: int, read: Round | Rejection) -> None:
        self.rejected += 1
        if self.rejected <= SHOWN and isinstance(read, Rejection):
            field = f", `{read.field}`" if read.field else ""
            sys.stderr.write(f"{self._log}, line {line:,}{field}: {read.reason}.\n")


def _to_columns(log: Path, folder: Path) -> int:
    conversion = _Conversion(log, folder)
    whole = False
    with log.open("rb", buffering=0) as stream:
        try:
            for block in ColumnReader(stream).blocks():
                conversion.add(block)
            whole = True
        finally:
            conversion.close(whole=whole)
    if conversion.rejected > SHOWN:
        sys.stderr.write(f"{log}: {conversion.rejected:,} lines were rejected in all.\n")
    return REJECTED if conversion.rejected else DONE
