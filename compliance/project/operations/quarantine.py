"""Messages that this system did not send: all are counted, and the first ones kept and shown."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

import structlog
from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from compliance.health import Condition, State
from compliance.project.messages import MOST_BYTES, Reason
from compliance.project.models import RefusedCount, RefusedMessage

log = structlog.get_logger(__name__)

MOST_KEPT = 1000
SECONDS_BETWEEN_WRITES = 1
SECONDS_AFTER_A_FAILURE = 10


@dataclass
class Quarantine:
    """Messages that one worker set aside and has not recorded yet; its size is limited."""

    counts: Counter[Reason] = field(default_factory=Counter)
    kept: list[RefusedMessage] = field(default_factory=list)
    write_at: float = 0.0

    def add(self, reason: Reason, content: bytes, size: int) -> None:
        """Count a message, and keep it if there is room."""
        self.counts[reason] += 1
        if len(self.kept) < MOST_KEPT:
            self.kept.append(
                RefusedMessage(
                    at=timezone.now(), reason=reason, size=size, content=content[:MOST_BYTES]
                )
            )

    def write_now_and_then(self) -> None:
        """Record what was added, at most once a second; later if the database is unavailable."""
        if not self.counts or time.monotonic() < self.write_at:
            return
        try:
            write(self.counts, self.kept)
        except DatabaseError as away:
            self.write_at = time.monotonic() + SECONDS_AFTER_A_FAILURE
            log.warning("messages set aside cannot be recorded yet", says=type(away).__name__)
            return
        finally:
            if not connection.in_atomic_block:
                connection.close()  # a process that a worker forks must not inherit it
        counts = {str(reason): count for reason, count in self.counts.items()}
        log.error("messages that this system did not send were set aside", counts=counts)
        self.write_at = time.monotonic() + SECONDS_BETWEEN_WRITES
        self.counts, self.kept = Counter(), []


def write(counts: Counter[Reason], kept: list[RefusedMessage]) -> None:
    """Add to the counts, and keep messages while there is room; of two writers, one succeeds."""
    now = timezone.now()
    with transaction.atomic():
        for reason, count in sorted(counts.items()):
            RefusedCount.objects.get_or_create(reason=reason, defaults={"last_at": now})
            RefusedCount.objects.filter(reason=reason).update(count=F("count") + count, last_at=now)
        last = RefusedMessage.objects.values_list("number", flat=True).last() or 0
        for number, each in enumerate(kept[: MOST_KEPT - last], start=last + 1):
            each.number = number
        RefusedMessage.objects.bulk_create(kept[: MOST_KEPT - last], ignore_conflicts=True)


def refused() -> list[RefusedCount]:
    """Return the counts by reason, largest first."""
    return list(RefusedCount.objects.order_by("-count", "reason"))


def messages() -> Condition:
    """Check that every message in the broker came from this system."""
    counts = refused()
    if not counts:
        return Condition(state=State.OK, says="Every message came from this system.", count=0)
    total = sum(each.count for each in counts)
    last = timezone.localtime(max(each.last_at for each in counts))
    by_reason = "; ".join(f"{each.reason}: {each.count:,}" for each in counts)
    return Condition(
        state=State.FAILING,
        says=f"{total:,} messages in the broker did not come from this system and were set aside "
        f"({by_reason}), the last one at {last:%Y-%m-%d %H:%M:%S %Z}.",
        do="Find out who can reach the broker, and keep them out. `manage.py quarantine` shows the "
        f"first {MOST_KEPT:,}; `manage.py quarantine --clear` deletes them and ends this alarm.",
        count=total,
    )


def clear() -> int:
    """Delete all messages set aside; return how many there were."""
    with transaction.atomic():
        counts = RefusedCount.objects.select_for_update()
        total = sum(each.count for each in counts)
        RefusedMessage.objects.all().delete()
        RefusedCount.objects.all().delete()
    return total
