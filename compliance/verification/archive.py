"""Checks every file that a row names: it is there, and is what its address says.

Each room registers what its rows name, and how a file that is damaged can be made good again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.archive import DamagedError, MissingError, current_archive
from compliance.models import DocumentFile
from compliance.proof.verifier import Answer
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Kept:
    """A file of the archive, in words what it belongs to, and how to make it again.

    `make_good` answers whether the archive has the file again; without it nothing else holds what
    the file held.
    """

    digest: str
    where: str
    make_good: Callable[[], bool] | None = None


_named: list[Callable[[], Iterator[Kept]]] = []


def register(names: Callable[[], Iterator[Kept]]) -> None:
    """Have the files that a room's rows name checked; a room does this in `AppConfig.ready`."""
    _named.append(names)


def verify_archive() -> Answer:
    """Read every file that is named again, each content once; make good what can be."""
    answer = Answer()
    seen: set[str] = set()
    with without_walls():
        for names in _named:
            for kept in names():
                if kept.digest not in seen:
                    seen.add(kept.digest)
                    answer.checked += 1
                    _check(kept, answer)
    return answer


def files_of_documents() -> Iterator[Kept]:
    """The files of every version of every document."""
    files = DocumentFile.objects.order_by("id").values_list("sha256", "name", "version_id")
    for sha256, name, version in files.iterator():
        yield Kept(sha256, f"file {name} of document version {version}, {sha256}")


def _check(kept: Kept, answer: Answer) -> None:
    try:
        with current_archive().fetch(kept.digest):
            return
    except (MissingError, DamagedError) as wrong:
        what = str(wrong)
    if kept.make_good is not None:
        made_good = kept.make_good()
        what += " It was made again." if made_good else " It could not be made again."
    answer.broken(what, kept.where)
