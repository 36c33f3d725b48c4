"""How a night was judged: engine, rules, values of the law, logs, digests, the checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.selectors.findings import shares_of
from reports.documents.night_missing import logs_table
from reports.documents.night_terms import law_table
from reports.documents.people import local
from reports.documents.wording import instant
from reports.paper.blocks import Align, Facts, Heading, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from audits.models import GamblingDay
    from reports.paper.blocks import Block


def method_of(day: GamblingDay) -> dict[str, Any]:
    """The replay that speaks of the day, and the log's checkpoint when the day closed."""
    replay = day.current
    return {
        "checkpoint": day.checkpoint,
        "replay": replay
        and {
            "uuid": str(replay.uuid),
            "cause": replay.get_cause_display(),
            "engine": replay.engine,
            "fingerprint": replay.fingerprint,
            "digest": replay.digest,
            "begun": local(replay.at),
            "ended": local(replay.ended) if replay.ended else None,
            "segments": list(shares_of(day).values_list("segment__identity", flat=True)),
        },
    }


def method_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """What it takes to come to the same again."""
    yield Heading("Method")
    yield Words(
        "Every round was settled by one engine under the rules, controls and limits that bound it "
        "at its instant. The replay can be made again: the same fingerprint gives the same "
        "findings, byte for byte. Findings are apparent violations; an agent decides on them."
    )
    yield logs_table(data["logs"])
    yield law_table(data["terms"])
    replay = data["method"]["replay"]
    if replay:
        yield Facts(
            (
                ("Replay", replay["cause"]),
                ("Begun", instant(replay["begun"])),
                ("Ended", instant(replay["ended"]) if replay["ended"] else "–"),
            )
        )
        codes = [
            ("Replay", replay["uuid"]),
            ("Fingerprint", replay["fingerprint"]),
            ("Findings", replay["digest"]),
            ("Engine", replay["engine"]),
        ]
        yield Facts(tuple(codes), Align.CODES)
        for game in data["terms"]:
            yield Words(
                f"{game['name']}: rules of the engine, rules as approved, terms of the night"
            )
            approved = [("As approved", each) for each in game["approved_rule_sets"]]
            rows = (("Rules", game["rule_set"]), *approved, ("Terms", game["terms"]))
            yield Facts(rows, Align.CODES)
    note = data["method"]["checkpoint"]
    if note:
        yield Words("The checkpoint of the event log when the day closed:")
        origin, size, root = note.splitlines()[:3]
        yield Facts((("Log", origin), ("Events", size), ("Root", root)), Align.CODES)
    else:
        yield Words("The event log had no checkpoint when the day closed.")
