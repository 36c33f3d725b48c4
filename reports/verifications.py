"""What `manage.py verify` can check: one entry a word, each answering in the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from compliance.log_keys import trusted_keys
from compliance.proof.verifier import ExportCheck, read_checkpoint
from compliance.verification import verify_archive, verify_log
from reports.selectors.pdf_check import check_pdf

if TYPE_CHECKING:
    from collections.abc import Callable

    from compliance.proof.verifier import Answer


LARGEST = 512 << 20
"""Bytes of a PDF that is read into memory to be verified."""


class CannotTellError(Exception):
    """The question has no answer: a file that is not there, a key that cannot be read."""


@dataclass(frozen=True)
class Verification:
    """A check: what it is called, what it says of itself, whether it reads a file."""

    says: str
    run: Callable[[Path | None, list[Path]], Answer]
    of_a_file: bool = False


def _log(_: Path | None, held: list[Path]) -> Answer:
    """Check the log against the checkpoint this system keeps beside its database, and others."""
    own = Path(settings.HELD_CHECKPOINT)
    places = [own, *held] if own.exists() else held
    return verify_log({str(place): place.read_text() for place in places})


def _archive(_file: Path | None, _held: list[Path]) -> Answer:
    """Read every file that history names again."""
    return verify_archive()


def _export(file: Path | None, held: list[Path]) -> Answer:
    if file is None or len(held) > 1:
        message = "An export is checked with its file, and against one checkpoint at most."
        raise CannotTellError(message)
    keys = trusted_keys()
    checkpoint = read_checkpoint(held[0].read_text(), keys) if held else None
    with file.open(encoding="utf-8") as lines:
        return ExportCheck(keys, checkpoint).check(lines)


def _pdf(file: Path | None, held: list[Path]) -> Answer:
    if file is None or held:
        message = "A report is checked with its file, against the log of this installation."
        raise CannotTellError(message)
    if file.stat().st_size > LARGEST:
        message = f"{file.name} is larger than {LARGEST >> 20} MB: no report is."
        raise CannotTellError(message)
    found = check_pdf(file.read_bytes())
    if found.untold is not None and not found.is_broken:
        raise CannotTellError(found.untold.says)
    return found.as_answer(file.name)


VERIFICATIONS: dict[str, Verification] = {
    "log": Verification("the event log and all history in the database", _log),
    "archive": Verification("every file in the archive that history names", _archive),
    "export": Verification("an exported event log", _export, of_a_file=True),
    "pdf": Verification("a report as a signed PDF", _pdf, of_a_file=True),
}
