"""Internal controls on file: the current draft, and its starting point."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from compliance import clock
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.controls import events
from compliance.filings.controls.checks import CheckedControls, problems_of
from compliance.filings.controls.choices import ApprovedVersion
from compliance.filings.controls.content import Content, Problem, read_content
from compliance.filings.controls.models import (
    ControlsAttachment,
    ControlsDraft,
    ControlsFiling,
    ControlsVersion,
)
from compliance.filings.documents.reads import (
    CommentsBySection,
    cited_documents,
    comments_by_section,
)
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.named_tables import named_pay_tables
from compliance.filings.licenses.models import CompactValue
from compliance.filings.licenses.reads import compact_value
from compliance.filings.requests.models import Approval
from compliance.filings.requests.reads import (
    allowed_readings,
    approvals_in_effect,
    approved_from,
    rules_of,
    withdrawn_from,
)
from compliance.law.gambling_day import CutOff
from compliance.law.reads import law_rules
from compliance.remembered import remembered

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from compliance.access.models import Party


State = ControlsFiling.State
ENDED = frozenset({State.RETURNED, State.DENIED, State.WITHDRAWN})


def find_decision_reason(version: ControlsVersion) -> str:
    """Return the reason given for returning, denying or withdrawing a version; else empty."""
    if version.filing.state not in ENDED:
        return ""
    kinds = (events.RETURNED.name, events.DECIDED.name)
    decision = Event.objects.filter(object=version.uuid, type__in=kinds).order_by("at", "id").last()
    return decision.reason if decision is not None else ""


@dataclass(frozen=True)
class Draft:
    """The current draft of the controls, and who saved it last; no one has, at first."""

    content: dict[str, Any]
    saved: datetime | None
    hand: str


def newest_version(operator: Party) -> ControlsVersion | None:
    """Return the version submitted last, whatever its state."""
    versions = ControlsVersion.objects.filter(operator=operator).select_related("filing")
    return versions.order_by("number").last()


def starting_point(operator: Party) -> tuple[dict[str, Any], ControlsVersion | None]:
    """Return the content for a first draft: the newest version, or nothing."""
    newest = newest_version(operator)
    return (dict(newest.content) if newest is not None else {}), newest


def get_draft(operator: Party) -> Draft:
    """Return the current draft; if there is none, its starting point."""
    found = ControlsDraft.objects.filter(operator=operator).select_related("saved_by").first()
    if found is not None:
        return Draft(found.content, found.saved, found.hand)
    return Draft(starting_point(operator)[0], None, "")


def comments_on_controls(version: ControlsVersion) -> CommentsBySection:
    """Return the comments on a version by section, oldest first.

    Everyone who sees the version sees all of them: they pass between the operator and its
    reviewers.
    """
    comments = list(version.comments.select_related("by_party"))
    papers = cited_documents(ControlsAttachment.objects.filter(comment__version=version))
    return comments_by_section(comments, papers)


def find_problems(operator: Party, content: Any, on: date) -> list[Problem]:
    """Return what prevents submitting this content, checked as if in effect on a day."""
    read, unreadable = read_content(content)
    if unreadable:
        return unreadable
    tribal = operator.kind == PartyKind.TRIBAL_OPERATION
    cap = None
    if tribal and operator.agency is not None:
        value = compact_value(operator.agency, CompactValue.Rule.WAGER, on)
        cap = value.value if value else None
    approved = {slug: approved_versions(operator, slug) for slug in read.games}
    return problems_of(
        CheckedControls(
            content=read,
            law=law_rules(),
            on=on,
            tribal=tribal,
            cap=cap,
            approved=approved,
            rules={slug: rules for slug in read.games if (rules := rules_of(slug)) is not None},
        )
    )


def approved_versions(operator: Party, game: str) -> list[ApprovedVersion]:
    """Return the versions of a game's rules that an operator may choose, newest first."""
    with without_access_scope():
        versions = RuleVersion.objects.filter(game__slug=game).select_related("game")
        found = []
        for version in versions.order_by("-number"):
            since = approved_from(operator, version)
            if since is None or withdrawn_from(version) <= clock.now():
                continue
            commission = Approval.objects.get(subject=version.uuid, kind=Approval.Kind.COMMISSION)
            found.append(
                ApprovedVersion(
                    number=version.number,
                    since=since,
                    pay_tables={
                        wager: {name: each.top_odds for name, each in names.items()}
                        for wager, names in named_pay_tables(version).items()
                    },
                    allowed=allowed_readings(commission),
                )
            )
        return found


def chosen_rule_versions(version: ControlsVersion) -> list[RuleVersion]:
    """Return the versions of rules that controls choose; of a game without a choice, the newest."""
    found: list[RuleVersion] = []
    for slug, game in content_of(version).games.items():
        chosen = {game.choice(table).version for table in (None, *game.by_table)}
        approved = [each.number for each in approved_versions(version.operator, slug)]
        numbers = {number or max(approved, default=0) for number in chosen}
        with without_access_scope():
            rules = RuleVersion.objects.filter(game__slug=slug, number__in=numbers)
            found += rules.select_related("game__supplier")
    return found


def find_noncompliant_controls(on: date) -> list[tuple[ControlsVersion, list[Problem]]]:
    """Return each operator's newest approved controls that violate the law of a day."""
    approved = {ControlsFiling.State.APPROVED, ControlsFiling.State.APPROVED_VERBALLY}
    newest = {
        version.operator_id: version
        for version in ControlsVersion.objects.filter(filing__state__in=approved)
        .select_related("operator__agency")
        .order_by("number")
    }
    judged = [(each, find_problems(each.operator, each.content, on)) for each in newest.values()]
    return [(version, problems) for version, problems in judged if problems]


def list_cut_offs(operator: Party) -> list[CutOff]:
    """List every cut-off of an operator's controls, with the instant from which it applies."""
    with without_access_scope():
        found = [
            CutOff(approval.in_effect_from, content_of(version).cut_off)
            for approval, version in approved_controls(operator)
        ]
    return found or [CutOff(datetime.min.replace(tzinfo=UTC), time(6))]


def find_controls_content(*, operator: Party, at: datetime) -> Content | None:
    """Return an operator's controls in effect at an instant; None if there were none."""
    with without_access_scope():
        return controls_in_effect(operator, at)[2]


def find_controls_version(*, operator: Party, at: datetime) -> ControlsVersion | None:
    """Return the version of an operator's controls in effect at an instant, if any."""
    with without_access_scope():
        return controls_in_effect(operator, at)[0]


@remembered
def approved_controls(operator: Party) -> list[tuple[Approval, ControlsVersion]]:
    """List approved versions in the order they take effect, each with its first approval."""
    versions = {each.uuid: each for each in operator.controls_versions.all()}
    given = Approval.objects.filter(subject__in=versions).order_by("in_effect_from", "at")
    first: dict[UUID, Approval] = {}
    for each in given:
        first.setdefault(each.subject, each)
    return [(each, versions[each.subject]) for each in first.values()]


def controls_in_effect(
    operator: Party, at: datetime
) -> tuple[ControlsVersion | None, Approval | None, Content | None]:
    """Return the version of the controls in effect at an instant, its approval and content."""
    standing = [
        (approval, version)
        for approval, version in approved_controls(operator)
        if approval.in_effect_from <= at
        and approval.pk in {each.pk for each in approvals_in_effect(version.uuid, at)}
    ]
    if not standing:
        return None, None, None
    approval, version = standing[-1]
    return version, approval, content_of(version)


@remembered
def content_of(version: ControlsVersion) -> Content:
    """Return what approved controls say."""
    return read_content(version.content)[0]
