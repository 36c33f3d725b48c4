"""Which segments may have an ID: merged indexes of an operator's segments, beside the data.

The archived index of each segment is the only source. Merged indexes cover all segments up to some
key, each a range of keys that begins where another ends. New segments make a small one, and small
ones are merged, so that their number grows with the logarithm of the rounds on file. A range is
bound to its last segment by its seal, and nothing is lost when the folder is emptied.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from django.conf import settings
from django.utils.crypto import salted_hmac

from audits.intake.index_copies import index_at_hand
from audits.intake.models import Segment
from audits.intake.segments.id_index import open_index
from audits.intake.segments.merged_ids import MergedIndex, write_merged
from audits.intake.segments.rejections import DamagedSegmentError
from compliance.access.scope import without_access_scope
from compliance.files.archive import DamagedError, MissingError, RemovedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from compliance.access.models import Party


SALT: Final = "audits.intake.merged-ids"
TIMES_AS_LARGE: Final = 4
"""An index that is not so much larger than the next one is merged with it."""
TRIES: Final = 5
"""Another process may merge at the same time."""


@dataclass(frozen=True)
class Found:
    """The keys of segments that may have an ID, and of those whose index was removed."""

    segments: frozenset[int]
    removed: frozenset[int]


def find_segments(
    party: Party,
    words: Callable[[], Iterable[NDArray[np.uint64]]],
    *,
    repair: Callable[[Segment], None] | None = None,
) -> Found:
    """Return an operator's segments of any generation that may have one of these ID words.

    `words` yields sorted arrays of first words. `repair` makes a missing or damaged index again.

    Raises:
        DamagedError, MissingError: an index is damaged or missing, and there is no `repair`.
    """
    for left in reversed(range(TRIES)):
        try:
            indexes = _indexes(party, repair)
            found = {
                key
                for some in (words() if indexes else ())
                for each in indexes
                for key in each.find(some).tolist()
            }
        except FileNotFoundError:
            if not left:
                raise
            continue
        except DamagedSegmentError as damaged:
            damaged.path.unlink(missing_ok=True)
            if not left:
                raise
            continue
        removed = {-key for each in indexes for key in each.segments[each.segments < 0].tolist()}
        return Found(frozenset(found), frozenset(removed))
    raise AssertionError  # the last try returns or raises


@dataclass(frozen=True)
class _Range:
    """A file, and the keys that it covers: above `after`, up to `through`."""

    after: int
    through: int
    path: Path


def folder() -> Path:
    """Return where the merged indexes are."""
    return Path(settings.VAR) / "indexes" / "merged"


def _indexes(party: Party, repair: Callable[[Segment], None] | None) -> list[MergedIndex]:
    """Return indexes that cover all of an operator's segments, making what is missing."""
    ranges = _ranges(party)
    lasts = [each.through for each in ranges]
    with without_access_scope():
        own = Segment.objects.filter(party=party)
        digests = dict(own.filter(pk__in=lasts).values_list("pk", "index_sha256"))
    chain = _chain(party, ranges, digests)
    after = chain[-1][0].through if chain else 0
    with without_access_scope():
        new = list(own.filter(pk__gt=after).order_by("pk"))
    if new:
        path = _path(party, after, new[-1].pk)
        key = _key(party, after, new[-1].pk, new[-1].index_sha256)
        write_merged(path, key, [_words(each, repair) for each in new])
        digests[new[-1].pk] = new[-1].index_sha256
        chain.append((_Range(after, new[-1].pk, path), MergedIndex.open(path, key)))
    _merge(party, chain, digests)
    return [index for _, index in chain]


def _ranges(party: Party) -> list[_Range]:
    found = []
    for path in folder().glob(f"{party.pk}-*.ids"):
        after, through = (int(each) for each in path.stem.split("-")[1:])
        found.append(_Range(after, through, path))
    return found


def _chain(
    party: Party, ranges: list[_Range], digests: dict[int, str]
) -> list[tuple[_Range, MergedIndex]]:
    """Return the ranges that follow each other from the first segment on; remove all others."""
    chain: list[tuple[_Range, MergedIndex]] = []
    after = 0
    for each in sorted(ranges, key=lambda it: (it.after, -it.through)):
        if each.after != after or each.through not in digests:
            each.path.unlink(missing_ok=True)
            continue
        try:
            key = _key(party, after, each.through, digests[each.through])
            chain.append((each, MergedIndex.open(each.path, key)))
        except DamagedSegmentError:
            each.path.unlink(missing_ok=True)
            continue
        after = each.through
    return chain


def _merge(party: Party, chain: list[tuple[_Range, MergedIndex]], digests: dict[int, str]) -> None:
    """Merge the last indexes, as long as the one before is not much larger."""
    first, count = len(chain), 0
    while first and (chain[first - 1][1].count <= TIMES_AS_LARGE * count or not count):
        first -= 1
        count += chain[first][1].count
    if len(chain) - first < 2:
        return
    small = chain[first:]
    after, through = small[0][0].after, small[-1][0].through
    path, key = _path(party, after, through), _key(party, after, through, digests[through])
    write_merged(path, key, [], [index for _, index in small])
    chain[first:] = [(_Range(after, through, path), MergedIndex.open(path, key))]
    for each, _ in small:
        each.path.unlink(missing_ok=True)


def _path(party: Party, after: int, through: int) -> Path:
    return folder() / f"{party.pk}-{after}-{through}.ids"


def _key(party: Party, after: int, through: int, digest: str) -> bytes:
    """Return the key of a range's seals, which is another one for other segments."""
    named = f"{party.uuid}/{after}/{through}/{digest}"
    return salted_hmac(SALT, named, algorithm="sha256").digest()


def _words(
    segment: Segment, repair: Callable[[Segment], None] | None
) -> tuple[NDArray[np.uint64], int]:
    """Return a segment's ID words and its key, which is negative if its index was removed."""
    if not segment.rounds:
        return np.empty(0, np.uint64), segment.pk
    try:
        place = index_at_hand(segment.index_sha256, verify=True)
    except RemovedError:
        return np.empty(0, np.uint64), -segment.pk
    except (DamagedError, MissingError):
        if repair is None:
            raise
        repair(segment)
        place = index_at_hand(segment.index_sha256, verify=True)
    return np.array(open_index(place).ids), segment.pk
