"""Whether the files of all reports are in the archive, and are what their addresses say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.archive import DamagedError, MissingError, current_archive
from compliance.walls import without_walls
from reports.models import Envelope, Report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.proof.verifier import Answer


def check_kept_reports(answer: Answer) -> None:
    """Read body, inputs and signed files of every report again, each content once."""
    archive = current_archive()
    seen: set[str] = set()
    with without_walls():
        for digest, where in _named():
            if digest in seen:
                continue
            seen.add(digest)
            answer.checked += 1
            try:
                with archive.fetch(digest):
                    pass
            except (MissingError, DamagedError) as wrong:
                answer.broken(str(wrong), f"{where}, {digest}")


def _named() -> Iterator[tuple[str, str]]:
    reports = Report.objects.order_by("id").values_list("reference", "inputs", "body")
    for reference, inputs, body in reports.iterator():
        yield inputs, f"inputs of report {reference}"
        yield body, f"body of report {reference}"
    signed = Envelope.objects.order_by("id").values_list("report__reference", "file")
    for reference, file in signed.iterator():
        yield file, f"signed file of report {reference}"
