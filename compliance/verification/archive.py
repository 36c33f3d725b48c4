"""Checks every file that a row names: it is there, and is what its address says.

Each room registers what its rows name, and how a file that is damaged can be made good again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.archive import DamagedError, MissingError, RemovedError, current_archive
from compliance.models import Document, DocumentFile
from compliance.proof.verifier import Answer
from compliance.retention import PAPERS, Retained
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Kept:
    """A file of the archive, in words what it belongs to, and how to make it again.

    `make_good` answers whether the archive has the file again; without it nothing else holds what
    the file held. Without `retained` it is never removed.
    """

    digest: str
    where: str
    make_good: Callable[[], bool] | None = None
    retained: Retained | None = None


_named: list[Callable[[], Iterator[Kept]]] = []


def register(names: Callable[[], Iterator[Kept]]) -> None:
    """Have the files that a room's rows name checked; a room does this in `AppConfig.ready`."""
    _named.append(names)


def named_files() -> Iterator[Kept]:
    """Every file that a row names, as often as it is named."""
    with without_walls():
        for names in _named:
            yield from names()


def kept_files() -> Iterator[Kept]:
    """Every file that a row names, each content once."""
    seen: set[str] = set()
    for kept in named_files():
        if kept.digest not in seen:
            seen.add(kept.digest)
            yield kept


def verify_archive() -> Answer:
    """Read every file that is named again; make good what can be."""
    answer = Answer()
    with without_walls():
        for kept in kept_files():
            answer.checked += 1
            _check(kept, answer)
    return answer


def files_of_documents() -> Iterator[Kept]:
    """The files of every version of every document."""
    files = DocumentFile.objects.order_by("id").select_related("version__document__owner")
    for file in files.iterator():
        version = file.version
        evidence = version.document.kind == Document.Kind.EVIDENCE
        named = frozenset({version.document.owner.uuid, version.document.uuid})
        yield Kept(
            file.sha256,
            f"file {file.name} of document version {version.pk}, {file.sha256}",
            retained=Retained(PAPERS, version.at, named) if evidence else None,
        )


def _check(kept: Kept, answer: Answer) -> None:
    try:
        with current_archive().fetch(kept.digest):
            return
    except RemovedError as removed:
        answer.notes.append(f"{kept.where}: {removed}")
        return
    except (MissingError, DamagedError) as wrong:
        what = str(wrong)
    if kept.make_good is not None:
        made_good = kept.make_good()
        what += " It was made again." if made_good else " It could not be made again."
    answer.broken(what, kept.where)
