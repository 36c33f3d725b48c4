"""Check leaves, events, their personal data and checkpoints against each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Max, Subquery

from compliance.event_log.models import Checkpoint, Leaf, Subtree
from compliance.event_log.proof import TILE_HEIGHT
from compliance.event_log.tree import frontier_of, signed
from compliance.event_log.verifier import BrokenError, Frontier, leaf_hash
from compliance.events.canonical import NotCanonicalError, canonical, salted_digest
from compliance.events.models import Event, PersonalData
from compliance.events.signatures import Passkeys

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from compliance.event_log import verifier
    from compliance.event_log.verifier import Answer, VerifierKey


REMOVAL = "log.personal_data_removed"


def problem_of_personal_data(
    event: Event, row: PersonalData | None, erased: Container[int] = ()
) -> str:
    """Return what is wrong with an event's personal data; empty if it is as recorded."""
    if row is None:
        return "its personal data is missing, not removed by rule" if event.personal_digest else ""
    if row.salt is None or row.data is None:
        return "" if event.pk in erased else "its personal data was emptied, not removed by rule"
    try:
        fits = salted_digest(bytes(row.salt), row.data) == event.personal_digest
    except NotCanonicalError:
        fits = False
    return "" if fits else "its personal data was changed"


def concerns_passkeys(event: Event) -> bool:
    """Return whether an event has, or should have, a signature, or is about a passkey."""
    return event.signature is not None or event.type.startswith("second_factor.")


def erased_by_rule() -> set[int]:
    """Return the numbers of events whose personal data was removed under a retention rule."""
    removals = Event.objects.filter(type=REMOVAL).values_list("payload", flat=True)
    return {number for payload in removals for number in payload["numbers"]}


CHUNK = 2000
MOST_LEVELS = 7  # 256 to this power is more leaves than the database can number


@dataclass(frozen=True)
class Suspect:
    """A leaf and an event that disagree; a checkpoint shows which of them was changed."""

    index: int
    event: str
    stored: bytes
    computed: bytes


class TreeCheck:
    """One pass over the log.

    Two trees grow in parallel, from the stored leaves and from the current events. Where they
    differ, the one that gives the next signed root is right. Both restart at each checkpoint from
    its peaks, so damage is reported where it is and does not hide later damage.
    """

    def __init__(
        self,
        keys: Sequence[VerifierKey],
        kept: Mapping[str, verifier.Checkpoint],
        answer: Answer,
    ) -> None:
        self.keys = keys
        self.kept = kept
        self.answer = answer
        self.stored = Frontier()
        self.computed = Frontier()
        self.since = 0
        self.expected = 0
        self.lost = False
        self.suspects: list[Suspect] = []
        self.subtrees: dict[tuple[int, int], bytes] = {}
        self.kept_subtrees = 0
        self.erased = erased_by_rule()
        self.passkeys = Passkeys(settings.SIGNATURES_REQUIRED_FROM)

    def run(self) -> None:
        """Check every leaf, then everything after the last."""
        top, newest = _ends()
        checkpoints = self._checkpoints(newest)
        next_one = next(checkpoints, None)
        for index, event, stored, computed in self._leaves(top):
            while next_one is not None and next_one.size <= index:
                self._close(next_one)
                next_one = next(checkpoints, None)
            self._leaf(index, event, stored, computed)
        last = self.expected
        covered = self.since
        while next_one is not None:
            if next_one.size > last:
                self._missing(last, next_one.size)
                last = next_one.size
            self._close(next_one)
            covered = next_one.size
            next_one = next(checkpoints, None)
        if covered < last:
            self.answer.broken("no checkpoint covers these", _leaves_named(covered, last))
        self._check_subtrees()
        self._check_subtree_count()
        for where, checkpoint in self.kept.items():
            if checkpoint.size > self.expected:
                what = f"the log has {self.expected} events, this checkpoint {checkpoint.size}"
                self.answer.broken(what, where)

    # --- leaves -------------------------------------------------------------------------------

    def _leaves(self, top: int) -> Iterator[tuple[int, str, bytes, bytes]]:
        """Read leaves with their events in chunks: index, event name, both hashes."""
        after = -1
        while rows := list(
            Leaf.objects.filter(index__gt=after, index__lte=top)
            .order_by("index")
            .values_list("index", "event_id", "hash")[:CHUNK]
        ):
            numbers = [number for _, number, _ in rows]
            events = Event.objects.in_bulk(numbers)
            personal = PersonalData.objects.in_bulk(numbers)
            for index, number, stored in rows:
                self.answer.checked += 1
                event = events.get(number)
                if event is None:
                    self.answer.broken("was removed", f"event {number}, leaf {index}")
                    yield index, f"event {number}", bytes(stored), bytes(stored)
                    continue
                name = f"event {number} ({event.uuid}, {event.type})"
                if problem := self._problem_of_personal_data(event, personal.get(number)):
                    self.answer.broken(problem, name)
                if concerns_passkeys(event) and (problem := self.passkeys.follow(event.leaf())):
                    self.answer.broken(problem, name)
                yield index, name, bytes(stored), _hash_of(event)
            after = rows[-1][0]
            self._check_subtrees()

    def _leaf(self, index: int, event: str, stored: bytes, computed: bytes) -> None:
        if index > self.expected:
            self._missing(self.expected, index)
        self.expected = index + 1
        if self.lost or self.stored.size != index:
            self.lost = True
        else:
            for height, subtree in enumerate(self.stored.append(stored)):
                if height and height % TILE_HEIGHT == 0:
                    place = (height // TILE_HEIGHT, (self.stored.size >> height) - 1)
                    self.subtrees[place] = subtree
            self.computed.append(computed)
            self._compare_kept()
        if stored != computed:
            self.suspects.append(Suspect(index, event, stored, computed))

    def _missing(self, first: int, after: int) -> None:
        self.answer.broken("missing from the log", _leaves_named(first, after))
        self.lost = True

    def _compare_kept(self) -> None:
        for where, checkpoint in self.kept.items():
            if checkpoint.size == self.stored.size and checkpoint.root != self.stored.root():
                self.answer.broken(
                    f"the first {checkpoint.size} events of the log are not those of this "
                    "checkpoint",
                    where,
                )

    # --- checkpoints --------------------------------------------------------------------------

    def _checkpoints(self, newest: int) -> Iterator[Checkpoint]:
        """Yield the valid checkpoints; report the others."""
        number = size = 0
        known = Checkpoint.objects.filter(number__lte=newest).order_by("number")
        while rows := list(known.filter(number__gt=number)[:CHUNK]):
            for row in rows:
                self.answer.checked += 1
                if row.number != number + 1:
                    self.answer.broken("missing", _named("checkpoint", number + 1, row.number))
                number = row.number
                try:
                    signed(row, self.keys)
                    frontier_of(row)
                    if row.size <= size:
                        what = f"covers {row.size} events, the one before it {size}"
                        raise BrokenError(what, f"checkpoint {number}")
                except BrokenError as broken:
                    self.answer.broken(broken.what, broken.where)
                    continue
                size = row.size
                yield row

    def _close(self, checkpoint: Checkpoint) -> None:
        """Compare both trees with a signed root, and restart from it."""
        if self.lost or self.stored.size != checkpoint.size:
            for suspect in self.suspects:
                self.answer.broken(f"does not agree with leaf {suspect.index}", suspect.event)
        else:
            self._compare(checkpoint)
        self.stored = frontier_of(checkpoint)
        self.computed = frontier_of(checkpoint)
        self.since = checkpoint.size
        self.suspects = []
        self.lost = False

    def _compare(self, checkpoint: Checkpoint) -> None:
        root = bytes(checkpoint.root)
        leaves_hold, events_hold = self.stored.root() == root, self.computed.root() == root
        places = {suspect.stored: suspect.index for suspect in self.suspects}
        for suspect in self.suspects:
            if leaves_hold and suspect.computed in places:
                what = f"stands at leaf {suspect.index}, recorded at {places[suspect.computed]}"
            elif leaves_hold:
                what = f"was changed after it was recorded at leaf {suspect.index}"
            elif events_hold:
                what = f"is as it was signed, but leaf {suspect.index} was changed"
            else:
                what = f"does not agree with leaf {suspect.index}, and other rows were changed too"
            self.answer.broken(what, suspect.event)
        if not leaves_hold and not self.suspects:
            self.answer.broken(
                f"events and leaves were rewritten together: they do not give the root of "
                f"checkpoint {checkpoint.number}",
                _leaves_named(self.since, checkpoint.size),
            )

    # --- data attached to leaves and events -------------------------------------------------------

    def _check_subtrees(self) -> None:
        """Compare newly completed subtrees with the ones stored for proofs."""
        if not self.subtrees:
            return
        levels = {level for level, _ in self.subtrees}
        low = min(position for _, position in self.subtrees)
        high = max(position for _, position in self.subtrees)
        kept = {
            (level, position): bytes(stored)
            for level, position, stored in Subtree.objects.filter(
                level__in=levels, position__range=(low, high)
            ).values_list("level", "position", "hash")
        }
        for place, expected in self.subtrees.items():
            if kept.get(place) != expected:
                self.answer.broken("is not what the leaves give", "subtree {}/{}".format(*place))
        self.kept_subtrees += len(self.subtrees)
        self.subtrees = {}

    def _check_subtree_count(self) -> None:
        """Report subtrees without leaves; the log may have grown meanwhile."""
        ends = dict(
            Subtree.objects.order_by("level").values_list("level").annotate(end=Max("position") + 1)
        )
        size = _ends()[0] + 1
        for level, end in ends.items():
            if not 0 < level <= MOST_LEVELS or end > size >> level * TILE_HEIGHT:
                self.answer.broken("is of leaves that are not there", f"subtree {level}/{end - 1}")

    def _problem_of_personal_data(self, event: Event, row: PersonalData | None) -> str:
        problem = problem_of_personal_data(event, row, self.erased)
        if problem and row is not None and row.salt is None:
            self.erased = erased_by_rule()  # it may have been removed since this pass began
            problem = problem_of_personal_data(event, row, self.erased)
        return problem


def _ends() -> tuple[int, int]:
    """Return the last leaf and the newest checkpoint in one consistent read."""
    last_leaf = Leaf.objects.order_by("-index").values("index")[:1]
    newest = Checkpoint.objects.order_by("-number").annotate(top=Subquery(last_leaf))
    found = newest.values_list("top", "number").first()
    if found is None:
        top = Leaf.objects.order_by("-index").values_list("index", flat=True).first()
        # The very first checkpoint may have been added between the two queries.
        found = newest.values_list("top", "number").first() or (top, 0)
    top, number = found
    return (-1 if top is None else top), number


def _hash_of(event: Event) -> bytes:
    try:
        return leaf_hash(canonical(event.leaf()))
    except NotCanonicalError:
        return b""  # not written by this system: equal to no leaf


def _leaves_named(first: int, after: int) -> str:
    return _named("leaf", first, after).replace("leafs", "leaves")


def _named(noun: str, first: int, after: int) -> str:
    return f"{noun} {first}" if after == first + 1 else f"{noun}s {first} to {after - 1}"
