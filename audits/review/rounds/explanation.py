"""The record of a round: its explanation, what it was audited under, its issues, and its proof.

It audits the round again under the terms kept by its day's current replay, and compares the result
with that replay's findings. A person without access to the replay gets what was released to them,
and the round as in their own log.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import orjson

from audits.instants import instant
from audits.intake.days.models import GamblingDay
from audits.intake.events import REGISTERED
from audits.intake.rounds import line_as_submitted
from audits.replay.auditing.one_round import audit_round
from audits.replay.auditing.terms import read_terms
from audits.replay.engine import engine_version
from audits.replay.findings.files import findings_of
from audits.replay.findings.marks import Key
from audits.replay.findings.models import Issue
from audits.replay.findings.routes import keys_of
from audits.replay.models import Replay, ReplaySegment
from audits.review.rounds.limits import LimitExplanation, explain_law, explain_limits
from compliance.access.models import Person
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.event_log.models import Leaf
from compliance.events.models import Event
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.games.filed_words import filed_words
from compliance.in_effect.reads import find_terms
from games.explanation.findings import sum_money
from games.explanation.rounds import (
    as_defined,
    explain_findings,
    explain_logged_round,
    explain_round,
)
from games.findings import MoneyOwner
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date, datetime
    from pathlib import Path
    from uuid import UUID

    from audits.intake.rounds import RoundOnFile
    from audits.replay.auditing.one_round import AuditedRound
    from compliance.access.models import Party
    from compliance.filings.controls.models import ControlsVersion
    from compliance.filings.games.filed_words import FiledWords
    from compliance.in_effect.reads import TermsInEffect
    from games.explanation.model import Clause, RoundExplanation
    from games.log.round import Round


NOT_AUDITED = "No finished replay of its gambling day covers this round yet."
NOT_RELEASED = "The audit is shown once the commission releases it."


@dataclass(frozen=True)
class FindingIssue:
    """The issue that a finding belongs to."""

    uuid: UUID
    state: str
    """In words; empty outside the commission."""
    diagnosis: str


@dataclass(frozen=True)
class ApprovedBy:
    """Who approved the rule version or the controls under which the round was dealt."""

    kind: str
    of: str
    by: str
    """A person's name; empty if it was removed."""
    at: datetime
    digest: str


@dataclass(frozen=True)
class AuditedIn:
    """The current replay of the round's gambling day."""

    uuid: UUID
    ended: datetime | None
    engine: str
    fingerprint: str
    digest: str
    terms: str
    """SHA-256 of the rounds' terms, as archived."""


@dataclass(frozen=True)
class AuditBasis:
    """What the round was audited under."""

    rule_set: str
    """Digest of the rules that the steps quote."""
    rule_set_approved: str | None
    """Digest of the approved rules, if a version was approved."""
    rule_version: str
    """In words; empty if none was in effect."""
    controls_version: str
    approvals: tuple[ApprovedBy, ...]
    limits: tuple[LimitExplanation, ...]
    replay: AuditedIn
    engine: str
    """Version of the engine used here; it differs from the replay's if replaced since."""
    as_on_file: bool
    """Whether the findings match the replay's byte for byte."""


@dataclass(frozen=True)
class Proof:
    """Where the event log has the round's log."""

    log: UUID
    log_name: str
    log_sha256: str
    submitted: datetime
    line: int
    event: UUID
    """The registration in the event log."""
    leaf: int | None
    """Its index there; None while that is pending."""
    leaf_hash: str
    round_digest: str
    segment: str
    """Identity of the segment in which the round was audited."""


@dataclass(frozen=True)
class RoundRecord:
    """A round on file, as far as its reader may see it; times are local to the place of play."""

    operator: str
    operator_code: str
    day: date
    at: datetime
    explanation: RoundExplanation
    issues: tuple[FindingIssue | None, ...]
    """The issue of each finding, in their order."""
    audit: AuditBasis | None
    why_not: str
    """Why `audit` is None, in words."""
    raw: str
    """The line as submitted; bytes that are not UTF-8 are escaped."""
    proof: Proof

    @property
    def received(self) -> tuple[int, int]:
        """Return the cents that players were overpaid and underpaid in the round."""
        return sum_money(self.explanation.findings, MoneyOwner.PLAYERS)


def explain_round_on_file(on_file: RoundOnFile) -> RoundRecord:
    """Explain a round on file within the current access scope.

    Raises:
        DamagedError, MissingError, DamagedSegmentError: a file with the round is damaged or
            missing.
    """
    segment, log, round_ = on_file.segment, on_file.log, on_file.found.round
    days = GamblingDay.objects.filter(party=segment.party_id, day=segment.day)
    day = days.select_related("party").first()
    replay = None if day is None else day.current_id
    is_inside = replay is not None and Replay.objects.filter(pk=replay).exists()
    is_released = day is not None and day.released is not None
    shown = {} if day is None else _issues(day)
    words = words_in_effect(segment.party, round_)
    with without_access_scope():
        unit = None if day is None else _unit(day, on_file)
        audited = None if unit is None else _audit_again(unit, on_file)
        issues: tuple[FindingIssue | None, ...] = ()
        if audited is not None and unit is not None:
            issues = tuple(_link(audited, unit, shown, is_inside=is_inside))
        audit, why_not = None, ""
        if audited is not None and unit is not None and (is_inside or is_released):
            explanation, audit = _explain(audited, unit, on_file)
        else:
            why_not = NOT_AUDITED if is_inside or is_released or replay is None else NOT_RELEASED
            findings = () if audited is None else audited.findings
            released = [each for each, issue in zip(findings, issues, strict=True) if issue]
            issues = tuple(filter(None, issues))
            setup = None if audited is None else audited.setup
            explanation = explain_logged_round(
                as_defined(round_, setup),
                explain_findings(round_, released),
                zone=zone(),
                setup=setup if round_.game not in SLUGS else None,
                why_not=why_not,
            )
        line = line_as_submitted(log, on_file.found.source_line)
        return RoundRecord(
            operator=segment.party.name,
            operator_code=segment.party.code,
            day=segment.day,
            at=_local(round_.at),
            explanation=_with_words(explanation, words),
            issues=issues,
            audit=audit,
            why_not=why_not,
            raw=line.decode(errors="backslashreplace"),
            proof=_proof(on_file),
        )


def words_in_effect(party: Party, played: Round) -> dict[str, FiledWords]:
    """Return the filed words of the rules in effect for a round, as far as the reader sees them."""
    terms = find_terms(operator=party, game=played.game, table=played.table, at=instant(played.at))
    return {} if terms.rule_version is None else filed_words(terms.rule_version)


def _with_words(explanation: RoundExplanation, words: Mapping[str, FiledWords]) -> RoundExplanation:
    """Return an explanation whose clauses name where they were filed, and quote other words."""
    return replace(
        explanation,
        clauses=tuple(_with_source(each, words.get(each.id)) for each in explanation.clauses),
    )


def _with_source(clause: Clause, words: FiledWords | None) -> Clause:
    if words is None:
        return clause
    quoted = "" if words.text == clause.says else f": “{words.text}”"
    return replace(clause, sources=(f"{words.source}{quoted}",))


def _issues(day: GamblingDay) -> dict[Key, Issue]:
    """Return a day's issues in the reader's access scope."""
    found = Issue.objects.filter(party=day.party_id, nights__day=day.day).order_by("pk")
    return {Key(each.game, each.cause): each for each in found}


def _unit(day: GamblingDay, on_file: RoundOnFile) -> ReplaySegment | None:
    units = ReplaySegment.objects.filter(replay=day.current_id, segment=on_file.segment)
    found: ReplaySegment | None = units.select_related("replay", "segment").first()
    return found


def _audit_again(unit: ReplaySegment, on_file: RoundOnFile) -> AuditedRound:
    archive = current_archive()
    terms = read_terms(read_bytes(archive, unit.terms))
    row = on_file.found.row

    def audit(segment: Path, carried: Path | None = None) -> AuditedRound:
        return audit_round(segment=segment, row=row, terms=terms, carried=carried)

    with archive.fetch(unit.segment.sha256) as segment:
        if not unit.before:
            return audit(segment)
        with archive.fetch(unit.before) as carried:
            return audit(segment, carried)


def _explain(
    audited: AuditedRound, unit: ReplaySegment, on_file: RoundOnFile
) -> tuple[RoundExplanation, AuditBasis]:
    round_, setup, replay = audited.round, audited.setup, unit.replay
    placed = round_.at if round_.since is None else round_.since
    terms = find_terms(
        operator=on_file.segment.party,
        game=round_.game,
        table=round_.table,
        at=instant(round_.at),
    )
    version, controls = terms.rule_version, terms.controls_version
    explanation = explain_round(
        round_,
        setup,
        audited.verdict,
        before=audited.before,
        zone=zone(),
        findings=audited.findings,
        law=explain_law(_local(placed).date()),
        version=("", {}) if version is None else (str(version), _approved_readings(terms)),
    )
    basis = AuditBasis(
        rule_set=setup.rules(round_.game).digest,
        rule_set_approved=audited.span.rule_set,
        rule_version=str(version) if version else "",
        controls_version=_name_controls(controls),
        approvals=tuple(_approvals(terms)),
        limits=explain_limits(audited),
        replay=AuditedIn(
            uuid=replay.uuid,
            ended=replay.ended,
            engine=replay.engine,
            fingerprint=replay.fingerprint,
            digest=replay.digest,
            terms=unit.terms,
        ),
        engine=engine_version(),
        as_on_file=_on_file(unit, round_.round) == list(audited.lines),
    )
    return explanation, basis


def _approved_readings(terms: TermsInEffect) -> dict[str, str]:
    """Return the interpretations of the approval, without those that the controls choose."""
    controls = terms.controls
    chosen = controls.choice(terms.table).interpretations if controls is not None else {}
    return {id_: name for id_, name in terms.interpretations.items() if id_ not in chosen}


def _approvals(terms: TermsInEffect) -> Iterator[ApprovedBy]:
    people = Person.objects.filter(uuid__in=[each.by for each in terms.approvals])
    names = {each.uuid: each.name for each in people}
    version, controls = terms.rule_version, _name_controls(terms.controls_version)
    for each in terms.approvals:
        is_of_rules = version is not None and each.subject == version.uuid
        yield ApprovedBy(
            kind=each.get_kind_display(),
            of=str(version) if is_of_rules else controls,
            by=names.get(each.by, ""),
            at=each.at,
            digest=each.digest,
        )


def _name_controls(controls: ControlsVersion | None) -> str:
    return f"Internal controls, version {controls.number}" if controls else ""


def _on_file(unit: ReplaySegment, id_: str) -> list[bytes]:
    """Return the replay's findings on a round."""
    if not unit.findings:
        return []
    holds = b'"round":' + orjson.dumps(id_)
    with findings_of(unit) as lines:
        near = [line for line in lines if holds in line]
    return [line for line in near if orjson.loads(line)["round"] == id_]


def _link(
    audited: AuditedRound, unit: ReplaySegment, issues: dict[Key, Issue], *, is_inside: bool
) -> Iterator[FindingIssue | None]:
    """Yield the issue of each finding among those that the reader may see."""
    identities = [orjson.loads(line)["id"] for line in audited.lines]
    keys = keys_of(unit, identities) if identities else {}
    for identity in identities:
        issue = issues.get(keys[identity]) if identity in keys else None
        if issue is None:
            yield None
        else:
            state = issue.get_state_display() if is_inside else ""
            yield FindingIssue(issue.uuid, state, issue.diagnosis)


def _proof(on_file: RoundOnFile) -> Proof:
    log = on_file.log
    event = Event.objects.get(type=REGISTERED.name, object=log.uuid)
    leaf = Leaf.objects.filter(event=event).first()
    return Proof(
        log=log.uuid,
        log_name=log.name,
        log_sha256=log.sha256,
        submitted=log.at.astimezone(zone()),
        line=on_file.found.source_line,
        event=event.uuid,
        leaf=None if leaf is None else leaf.index,
        leaf_hash="" if leaf is None else bytes(leaf.hash).hex(),
        round_digest=on_file.found.digest,
        segment=on_file.segment.identity,
    )


def _local(microseconds: int) -> datetime:
    """Convert an instant to local time, as far as it has a local date."""
    at = instant(microseconds)
    try:
        return at.astimezone(zone())
    except OverflowError:
        return at
