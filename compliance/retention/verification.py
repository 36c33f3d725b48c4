"""Checks that every file named by a row exists and matches its address.

Each app registers the files its rows name, and how to repair a damaged one.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from compliance.access.scope import without_access_scope
from compliance.event_log.verifier import Answer
from compliance.files.archive import DamagedError, MissingError, RemovedError, current_archive
from compliance.jobs.failures import is_disk_full
from compliance.retention.reads import why_removed

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from compliance.retention.periods import Retained


SAMPLE = 20


@dataclass(frozen=True)
class Kept:
    """A file in the archive, a description of its owner, and how to regenerate it.

    `make_good` returns whether the archive has the file again; without it no other copy exists.
    Without `retained` it is never removed.
    """

    digest: str
    where: str
    make_good: Callable[[], bool] | None = None
    retained: Retained | None = None


_named: list[Callable[[], Iterator[Kept]]] = []


def register(names: Callable[[], Iterator[Kept]]) -> None:
    """Register the files that an app's rows name; an app does this in its `hooks`."""
    if names not in _named:
        _named.append(names)


def named_files() -> Iterator[Kept]:
    """Yield every file that a row names, once for each row."""
    with without_access_scope():
        for names in _named:
            yield from names()


def kept_files() -> Generator[Kept, None, None]:
    """Yield every file that a row names, each content once."""
    seen: set[str] = set()
    for kept in named_files():
        if kept.digest not in seen:
            seen.add(kept.digest)
            yield kept


def archive_problem() -> str:
    """Return why the archive cannot be read or written now; empty if it can.

    A disk that is not mounted leaves an empty folder behind, which accepts files like any other: so
    a file that rows name must exist, too.
    """
    try:
        current_archive().ready()
        with closing(kept_files()) as named:
            for kept in islice(named, SAMPLE):
                if current_archive().has(kept.digest):
                    return ""
                if not why_removed(kept.digest):
                    return f"It is not the archive of this database: it lacks the {kept.where}."
    except OSError as error:
        if is_disk_full(error):
            return "It is full: nothing can be stored."
        return f"It cannot be written: {error.strerror or error}."
    return ""


def waits_for_archive(error: BaseException) -> bool:
    """Return whether a failure is due to an archive that is away, full or read-only for now."""
    return isinstance(error, OSError | MissingError) and bool(archive_problem())


def verify_archive() -> Answer:
    """Read every named file again; repair what can be repaired."""
    answer = Answer()
    with without_access_scope():
        for kept in kept_files():
            answer.checked += 1
            _check(kept, answer)
    return answer


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
