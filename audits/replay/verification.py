"""Compare replays with their events; the same fingerprint must always give the same findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.replay.events import REPLAY_DONE
from audits.replay.models import Replay
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.verification.snapshot import one_snapshot

if TYPE_CHECKING:
    from compliance.event_log.verifier import Answer


COMPARED = ("digest", "fingerprint", "rounds", "findings")


def check_replays(answer: Answer) -> None:
    """Report a completed replay that its event contradicts, and a fingerprint with two digests."""
    with without_access_scope(), one_snapshot():
        recorded = _check_fingerprints(answer)
        done = Replay.objects.filter(state=Replay.State.DONE).order_by("pk")
        for uuid, key, *values in done.values_list("uuid", "pk", *COMPARED).iterator():
            answer.checked += 1
            where = f"audits.replay {key} ({uuid})"
            if str(uuid) not in recorded:
                answer.broken("is done, but no event recorded that", where)
                continue
            event, *expected = recorded[str(uuid)]
            for name, now, then in zip(COMPARED, values, expected, strict=True):
                if now != then:
                    answer.broken(f"its {name} is not what event {event:,} recorded", where)


def _check_fingerprints(answer: Answer) -> dict[str, tuple[int | str, ...]]:
    """Return what events recorded of each completed replay, by its number for other programs."""
    recorded: dict[str, tuple[int | str, ...]] = {}
    digests: dict[str, tuple[str, int]] = {}
    done = Event.objects.filter(type=REPLAY_DONE.name).order_by("pk")
    for event, payload in done.values_list("pk", "payload").iterator():
        recorded[payload["replay"]] = (event, *(payload[name] for name in COMPARED))
        fingerprint, digest = payload["fingerprint"], payload["digest"]
        first, before = digests.setdefault(fingerprint, (digest, event))
        if first != digest:
            answer.broken(
                f"gave the digest {first} at event {before:,}, and {digest} at event {event:,}: "
                "the same inputs must give the same findings",
                f"fingerprint {fingerprint}",
            )
    return recorded
