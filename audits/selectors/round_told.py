"""Everything there is to know of one round: as logged, as it should be, why, and what proves it.

A round is told by judging it again under the terms that its day's current replay kept, and what is
found is held against that replay's findings. Somebody who does not see the replay is told what was
released to them, and the round as their own log has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from audits.engine import engine_version
from audits.event_types.round_logs import REGISTERED
from audits.findings_in_words import code_in_words
from audits.instants import instant
from audits.judging.one_round import judge_round
from audits.judging.terms import read_terms
from audits.marks import Key
from audits.models import GamblingDay, Pattern, Replay, ReplaySegment
from audits.selectors.restitution import is_owed
from audits.selectors.round_limits import LimitTold, limits_of
from audits.selectors.round_words import (
    ClauseTold,
    Laid,
    Reading,
    clauses_of,
    laid_out,
    readings_of,
)
from audits.selectors.rounds import line_as_handed_in
from audits.selectors.share_files import findings_of
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.models import Event, Leaf, Person
from compliance.selectors.games import names_of_games
from compliance.selectors.in_force import in_force, zone
from compliance.walls import without_walls
from games.story.telling import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime
    from pathlib import Path
    from uuid import UUID

    from audits.judging.one_round import JudgedRound
    from audits.selectors.rounds import RoundOnFile
    from games.round_log.round import Round
    from games.story.story import Section, Sentence

NOT_JUDGED = "No finished replay of its gambling day covers this round yet."
NOT_SHOWN = "What was found is shown once the commission has released it."


@dataclass(frozen=True)
class Step:
    """Something that the rules say of the round, and the ids of what it rests on."""

    says: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class WagerTold:
    """What one wager, or one result of a seat, came to. Cents."""

    key: str
    wagered: int | None
    logged: int | None
    expected: int | None
    """None where the rules cannot tell."""
    by_sum: bool
    """Whether a maximum aggregate binds: only a sum that this is part of is judged."""
    steps: tuple[Step, ...]

    @property
    def difference(self) -> int | None:
        """Cents that the player received too much, negative too little; None where not judged."""
        if self.logged is None or self.expected is None or self.by_sum:
            return None
        return self.logged - self.expected


@dataclass(frozen=True)
class Part:
    """The dealer, a seat, or two players who meet: what is said, in the order of dealing."""

    title: str
    seat: int | None
    steps: tuple[Step, ...]
    wagers: tuple[WagerTold, ...]


@dataclass(frozen=True)
class FoundTold:
    """A finding on the round, as the findings file has it, and the pattern that it belongs to."""

    code: str
    weight: str
    says: str
    seat: int | None
    player: str | None
    wager: str | None
    logged: int | str | None
    expected: int | str | None
    delta: int
    cites: tuple[str, ...]
    identity: str
    pattern: UUID | None
    state: str
    """What an agent has said of the pattern, in words; empty for those outside the commission."""
    diagnosis: str


@dataclass(frozen=True)
class ApprovedBy:
    """By whose word the round could be dealt: of the rule version, or of the controls."""

    kind: str
    of: str
    by: str
    """The name of a person; empty where it was removed."""
    at: datetime
    digest: str


@dataclass(frozen=True)
class ReplayTold:
    """The replay that speaks of the round's gambling day."""

    uuid: UUID
    ended: datetime | None
    engine: str
    fingerprint: str
    digest: str
    terms: str
    """SHA-256 of what bound the rounds, as archived."""


@dataclass(frozen=True)
class Judged:
    """The round step by step, and what it rests on."""

    status: str
    """`ok`, `flagged` or `irregular`, of the rules of play."""
    about: tuple[Step, ...]
    parts: tuple[Part, ...]
    clauses: tuple[ClauseTold, ...]
    """Everything cited, with its text: clauses, readings, values of the law."""
    readings: tuple[Reading, ...]
    """The interpretations among them, each with the reading that applied."""
    rule_set: str
    """Digest of the rules that the steps quote."""
    rule_set_approved: str | None
    """Digest of the rules as approved, where a version was."""
    rule_version: str
    """In words; empty where none was in force."""
    controls_version: str
    approvals: tuple[ApprovedBy, ...]
    limits: tuple[LimitTold, ...]
    replay: ReplayTold
    engine: str
    """Of the engine that told this; another than the replay's where it was replaced since."""
    as_on_file: bool
    """Whether the findings are those of the replay, byte for byte."""


@dataclass(frozen=True)
class Proof:
    """Where the log stands that the round came by."""

    log: UUID
    log_name: str
    log_sha256: str
    handed_in: datetime
    line: int
    event: UUID
    """The registration in the event log."""
    leaf: int | None
    """Its place there; None while it waits for one."""
    leaf_hash: str
    round_digest: str
    segment: str
    """Identity of the segment that the round was judged in."""


@dataclass(frozen=True)
class RoundTold:
    """One round. Times are by the clock at the place of play; cards are spelled as in logs."""

    operator: str
    operator_code: str
    day: date
    game: str
    game_name: str
    table: str
    round: str
    at: datetime
    since: datetime | None
    void: str | None
    dealt: str
    """Decks, which deck, and whether by a machine, in words."""
    house: Laid | None
    seats: tuple[Laid, ...]
    judged: Judged | None
    why_not: str
    """Why `judged` is None, in words."""
    findings: tuple[FoundTold, ...]
    """All of them, or those that were released to whoever asks."""
    line: str
    """The round in canonical form."""
    raw: str
    """Its line as handed in; bytes that are no UTF-8 are escaped."""
    proof: Proof

    @property
    def received(self) -> tuple[int, int]:
        """Cents that players received too much, and too little, on the round."""
        players = [
            each.delta
            for each in self.findings
            if is_owed({"code": each.code, "wager": each.wager, "delta": each.delta})
        ]
        too_little = -sum(each for each in players if each < 0)
        return sum(each for each in players if each > 0), too_little


def round_told(on_file: RoundOnFile) -> RoundTold:
    """Tell a round on file to whoever the walls are of.

    Raises:
        DamagedError, MissingError, DamagedSegmentError: what holds the round is not what it was.
    """
    segment, log, round_ = on_file.segment, on_file.log, on_file.found.round
    days = GamblingDay.objects.filter(party=segment.party_id, day=segment.day)
    day = days.select_related("party").first()
    replay = None if day is None else day.current_id
    inside = replay is not None and Replay.objects.filter(pk=replay).exists()
    released = day is not None and day.released is not None
    shown = {} if day is None else _patterns(day)
    with without_walls():
        share = None if day is None else _share(day, on_file)
        alone = None if share is None else _judged_alone(share, on_file)
        findings = () if alone is None else tuple(_found(alone, shown, inside=inside))
        told = None
        if alone is not None and share is not None and (inside or released):
            told = _judged(alone, share, on_file)
        elif not (inside or released):
            findings = tuple(each for each in findings if each.pattern is not None)
        why_not = NOT_JUDGED if inside or released or replay is None else NOT_SHOWN
        return RoundTold(
            operator=segment.party.name,
            operator_code=segment.party.code,
            day=segment.day,
            game=round_.game,
            game_name=names_of_games().get(round_.game, round_.game),
            table=round_.table,
            round=round_.round,
            at=_local(round_.at),
            since=None if round_.since is None else _local(round_.since),
            void=round_.void,
            dealt=_dealt(round_),
            **laid_out(round_, None if told is None or alone is None else alone.setup),
            judged=told,
            why_not="" if told is not None else why_not,
            findings=findings,
            line=on_file.line,
            raw=line_as_handed_in(log, on_file.found.source_line).decode(errors="backslashreplace"),
            proof=_proof(on_file),
        )


def _patterns(day: GamblingDay) -> dict[Key, Pattern]:
    """The patterns of a day that whoever asks is shown."""
    found = Pattern.objects.filter(party=day.party_id, nights__day=day.day).order_by("pk")
    return {Key(each.game, each.table, each.code, each.wager, each.line): each for each in found}


def _share(day: GamblingDay, on_file: RoundOnFile) -> ReplaySegment | None:
    shares = ReplaySegment.objects.filter(replay=day.current_id, segment=on_file.segment)
    found: ReplaySegment | None = shares.select_related("replay", "segment").first()
    return found


def _judged_alone(share: ReplaySegment, on_file: RoundOnFile) -> JudgedRound:
    archive = current_archive()
    terms = read_terms(read_bytes(archive, share.terms))
    row = on_file.found.row

    def judged(segment: Path, carried: Path | None = None) -> JudgedRound:
        return judge_round(segment=segment, row=row, terms=terms, carried=carried)

    with archive.fetch(share.segment.sha256) as segment:
        if not share.before:
            return judged(segment)
        with archive.fetch(share.before) as carried:
            return judged(segment, carried)


def _judged(alone: JudgedRound, share: ReplaySegment, on_file: RoundOnFile) -> Judged:
    round_, replay = alone.round, share.replay
    story = tell(round_, alone.setup, alone.verdict, before=alone.before, zone=zone())
    told = {id_ for each in alone.findings for id_ in each.cites} | set(story.cited)
    civil = _local(round_.at if round_.since is None else round_.since).date()
    approved = in_force(
        operator=on_file.segment.party,
        game=round_.game,
        table=round_.table,
        at=instant(round_.at),
    )
    names = {
        each.uuid: each.name
        for each in Person.objects.filter(uuid__in=[each.by for each in approved.approvals])
    }
    version, controls = approved.rule_version, approved.controls_version
    readings = readings_of(alone.setup, round_.game, told, version)
    return Judged(
        status=story.status,
        about=_steps(story.about),
        parts=tuple(_part(each) for each in story.sections),
        clauses=clauses_of(alone.setup, round_.game, told, civil),
        readings=readings,
        rule_set=alone.setup.rules(round_.game).digest,
        rule_set_approved=alone.span.rule_set,
        rule_version=str(version) if version else "",
        controls_version=f"Internal controls, version {controls.number}" if controls else "",
        approvals=tuple(
            ApprovedBy(
                kind=each.get_kind_display(),
                of=str(version)
                if version is not None and each.subject == version.uuid
                else f"Internal controls, version {controls.number}"
                if controls
                else "",
                by=names.get(each.by, ""),
                at=each.at,
                digest=each.digest,
            )
            for each in approved.approvals
        ),
        limits=limits_of(alone),
        replay=ReplayTold(
            uuid=replay.uuid,
            ended=replay.ended,
            engine=replay.engine,
            fingerprint=replay.fingerprint,
            digest=replay.digest,
            terms=share.terms,
        ),
        engine=engine_version(),
        as_on_file=_on_file(share, round_.round) == list(alone.lines),
    )


def _on_file(share: ReplaySegment, id_: str) -> list[bytes]:
    """The replay's findings on a round."""
    if not share.findings:
        return []
    holds = b'"round":' + orjson.dumps(id_)
    with findings_of(share) as lines:
        near = [line for line in lines if holds in line]
    return [line for line in near if orjson.loads(line)["round"] == id_]


def _part(section: Section) -> Part:
    return Part(
        title=section.title,
        seat=section.seat,
        steps=_steps(section.sentences),
        wagers=tuple(
            WagerTold(
                key=each.key,
                wagered=each.wagered,
                logged=each.logged,
                expected=each.expected,
                by_sum=each.by_sum,
                steps=_steps(each.sentences),
            )
            for each in section.accounts
        ),
    )


def _steps(sentences: Sequence[Sentence]) -> tuple[Step, ...]:
    return tuple(Step(each.says, each.cites) for each in sentences)


def _found(
    alone: JudgedRound, patterns: dict[Key, Pattern], *, inside: bool
) -> Iterable[FoundTold]:
    for line in alone.lines:
        told: dict[str, Any] = orjson.loads(line)
        pattern = patterns.get(Key.of(told))
        yield FoundTold(
            code=told["code"],
            weight=told["weight"],
            says=code_in_words(told["code"]),
            seat=told["seat"],
            player=told["player"],
            wager=told["wager"],
            logged=told["logged"],
            expected=told["expected"],
            delta=told["delta"],
            cites=tuple(told["cites"]),
            identity=told["id"],
            pattern=None if pattern is None else pattern.uuid,
            state=pattern.get_state_display() if pattern is not None and inside else "",
            diagnosis="" if pattern is None else pattern.diagnosis,
        )


def _dealt(round_: Round) -> str:
    decks = "" if round_.decks is None else f"{round_.decks} deck{'s' * (round_.decks != 1)}"
    parts = (decks, f"deck {round_.deck}" if round_.deck else "")
    shuffled = "from a shuffling machine" if round_.shuffler else "shuffled by hand"
    return ", ".join([*filter(None, parts), shuffled])


def _proof(on_file: RoundOnFile) -> Proof:
    log = on_file.log
    event = Event.objects.get(type=REGISTERED.name, object=log.uuid)
    leaf = Leaf.objects.filter(event=event).first()
    return Proof(
        log=log.uuid,
        log_name=log.name,
        log_sha256=log.sha256,
        handed_in=log.at.astimezone(zone()),
        line=on_file.found.source_line,
        event=event.uuid,
        leaf=None if leaf is None else leaf.index,
        leaf_hash="" if leaf is None else bytes(leaf.hash).hex(),
        round_digest=on_file.found.digest,
        segment=on_file.segment.identity,
    )


def _local(microseconds: int) -> datetime:
    """An instant by the clock at the place of play, as far as that has dates."""
    at = instant(microseconds)
    try:
        return at.astimezone(zone())
    except OverflowError:
        return at
