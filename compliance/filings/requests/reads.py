"""Find approvals, their conditions, approved games, compact checklists and comments on requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from compliance.access.models import Person
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.documents.reads import (
    CommentsBySection,
    cited_documents,
    comments_by_section,
)
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.rules import rules_of_version
from compliance.filings.licenses.models import CompactItem
from compliance.filings.requests.events import MOVED
from compliance.filings.requests.models import (
    Approval,
    ChecklistDocument,
    CompactTick,
    GameRequest,
    RequestAttachment,
    Withdrawal,
)
from compliance.remembered import remembered
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.access.models import Party
    from compliance.filings.documents.models import DocumentVersion
    from compliance.filings.games.models import Game
    from compliance.filings.licenses.models import CompactItem as Item
    from games.rule_set import RuleSet


def approvals_in_effect(subject: UUID, at: datetime) -> list[Approval]:
    """Return the approvals of one thing that are in effect at an instant."""
    return [each for each in _approvals_of(subject) if is_in_effect(each, at)]


@remembered
def _approvals_of(subject: UUID) -> list[Approval]:
    given = Approval.objects.filter(subject=subject)
    return list(given.prefetch_related("withdrawals", "conditions__marks"))


def effective_approvals(approvals: QuerySet[Approval], at: datetime) -> list[Approval]:
    """Return those of these approvals in effect at an instant, with their conditions' states."""
    given = approvals.filter(in_effect_from__lte=at)
    started = given.prefetch_related("withdrawals", "conditions__marks")
    return [each for each in started if is_in_effect(each, at)]


def is_in_effect(approval: Approval, at: datetime) -> bool:
    """Return whether an approval is in effect at an instant: started, and not withdrawn yet."""
    return approval.in_effect_from <= at and not any(
        step.step == Withdrawal.Step.FINAL
        and step.in_effect_from is not None
        and step.in_effect_from <= at
        for step in approval.withdrawals.all()
    )


NEVER = datetime.max.replace(tzinfo=UTC)


@remembered
def approved_from(operator: Party, version: RuleVersion) -> datetime | None:
    """Return from when an operator may play a version: for a tribe, with the concurrence."""
    kinds = {Approval.Kind.COMMISSION}
    if operator.kind == PartyKind.TRIBAL_OPERATION:
        kinds.add(Approval.Kind.CONCURRENCE)
    given = Approval.objects.filter(subject=version.uuid, kind__in=kinds)
    starts = {
        each.kind: each.in_effect_from
        for each in given
        if each.kind == Approval.Kind.COMMISSION or each.party_id == operator.pk
    }
    return max(starts.values()) if starts.keys() == kinds else None


@remembered
def withdrawn_from(version: RuleVersion) -> datetime:
    """Return from when the commission's approval of a version is withdrawn; in no time if not."""
    final = Withdrawal.objects.filter(
        approval__subject=version.uuid,
        approval__kind=Approval.Kind.COMMISSION,
        step=Withdrawal.Step.FINAL,
    )
    return min((each.in_effect_from for each in final if each.in_effect_from), default=NEVER)


def approved_at_start(
    operator: Party, versions: list[RuleVersion], since: datetime
) -> list[RuleVersion]:
    """Return the version that controls without a choice play; `versions` are newest first.

    It is the newest one approved when the controls began, else the first one after. A newer
    approval changes nothing for them.
    """
    began = [(each, found) for each in versions if (found := approved_from(operator, each))]
    for version, from_ in began:
        if from_ <= since < withdrawn_from(version):
            return [version]
    return [min(began, key=lambda each: each[1])[0]] if began else []


def chosen_readings(approval: Approval) -> dict[str, str]:
    """Return how the approver reads each open question."""
    chosen = approval.interpretations or {}
    return {id_: str(each["reading"]) for id_, each in chosen.items()}


def allowed_readings(approval: Approval) -> dict[str, tuple[str, ...]] | None:
    """Return the readings of each question that controls may choose; None if the approver said not.

    Approvals given before approvers chose interpretations allow any.
    """
    if approval.interpretations is None:
        return None
    return {
        id_: (each["reading"], *each["allowed"]) for id_, each in approval.interpretations.items()
    }


def requests_by_approval(approvals: Collection[Approval]) -> dict[UUID, GameRequest]:
    """Return the request that led to each approval of a game, by approval."""
    requests = GameRequest.objects.filter(
        rule_version__uuid__in=[each.subject for each in approvals]
    ).select_related("rule_version__game", "asked_by__agency")
    newest = {
        (each.rule_version.uuid, each.path, each.asked_by_id): each
        for each in requests.order_by("id")
    }
    return {
        each.uuid: newest[key]
        for each in approvals
        if (key := (each.subject, each.path, each.party_id)) in newest
    }


@dataclass(frozen=True)
class ChecklistLine:
    """A checklist line, its last finding if there is one, and what was uploaded for it."""

    item: Item
    tick: CompactTick | None
    documents: list[ChecklistDocument]

    @property
    def is_met(self) -> bool:
        """Return whether the agency found it in the filing."""
        return self.tick is not None and self.tick.there


def get_checklist(request: GameRequest) -> list[ChecklistLine]:
    """Return the checklist of the filer's tribe's compacts; empty on the commercial path."""
    if request.path != GameRequest.Path.TRIBAL or request.asked_by.agency_id is None:
        return []
    items = CompactItem.objects.filter(compact__agency=request.asked_by.agency_id)
    last = {each.item_id: each for each in CompactTick.objects.filter(request=request)}
    uploads: dict[int, list[ChecklistDocument]] = {}
    with without_access_scope():  # who sees a request sees its documents
        for each in request.supplement.select_related("document_version__document"):
            uploads.setdefault(each.item_id, []).append(each)
    return [
        ChecklistLine(item, last.get(item.pk), uploads.get(item.pk, []))
        for item in items.select_related("compact")
    ]


def documents_of_request(request: GameRequest) -> list[DocumentVersion]:
    """Return every document of a request: who sees the request may open each on its own.

    These are the documents of the rules, in the version that is requested, and what was uploaded
    for the compact's checklist. Other versions of the same documents are not part of it.
    """
    with without_access_scope():
        rules = request.rule_version.documents.select_related("document_version__document__owner")
        found = [each.document_version for each in rules]
        uploads = request.supplement.select_related("document_version__document__owner")
        return [*found, *(each.document_version for each in uploads)]


@dataclass(frozen=True)
class Decision:
    """An approval, and the name of the person who gave it."""

    approval: Approval
    person: str

    @property
    def by(self) -> str:
        """Return who approved: the person, if the name is still on file, and the party."""
        return ", ".join(filter(None, (self.person, str(self.approval.by_party))))

    @property
    def withdrawn(self) -> datetime | None:
        """Return when the approval ends, if it was withdrawn."""
        steps = self.approval.withdrawals.all()
        ends = (each.in_effect_from for each in steps if each.step == Withdrawal.Step.FINAL)
        return next(ends, None)


def list_decisions(approvals: QuerySet[Approval]) -> list[Decision]:
    """Return these approvals with their conditions, withdrawals and approvers, oldest first."""
    found = list(
        approvals.select_related("party", "by_party").prefetch_related(
            "conditions__marks", "conditions__answers", "withdrawals"
        )
    )
    names = person_names(each.by for each in found)
    return [Decision(each, names.get(each.by, "")) for each in found]


def person_names(uuids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the names of people that are still on file."""
    people = Person.objects.filter(uuid__in=set(uuids))
    return dict(people.values_list("uuid", "name"))


@dataclass(frozen=True)
class PublishedApproval(Decision):
    """The commission's approval of a rule version, for everyone."""

    version: RuleVersion


def list_published_approvals(
    *, slug: str | None = None, version: UUID | None = None
) -> list[PublishedApproval]:
    """Return approved rule versions by game, newest first; optionally one game or one version."""
    with without_access_scope():
        approvals = Approval.objects.filter(
            kind=Approval.Kind.COMMISSION, subject_type=RuleVersion._meta.label_lower
        )
        by_version = {each.approval.subject: each for each in list_decisions(approvals)}
        versions = RuleVersion.objects.filter(uuid__in=by_version).select_related("game__supplier")
        if slug is not None:
            versions = versions.filter(game__slug=slug)
        if version is not None:
            versions = versions.filter(uuid=version)
        return [
            PublishedApproval(found.approval, found.person, each)
            for each in versions.order_by("game__name", "-number")
            if (found := by_version[each.uuid])
        ]


def approved_rule_versions() -> list[RuleVersion]:
    """Return the rule versions approved by the commission, newest first within each game."""
    with without_access_scope():
        approved = Approval.objects.filter(kind=Approval.Kind.COMMISSION).values("subject")
        found = RuleVersion.objects.filter(uuid__in=approved).select_related("game")
        return list(found.order_by("game__name", "-number"))


def game_names() -> dict[str, str]:
    """Return the games known here by short name: those of the engine, and those approved."""
    names = {slug: rule_set(slug).name for slug in SLUGS}
    names |= {version.game.slug: version.game.name for version in approved_rule_versions()}
    return dict(sorted(names.items(), key=lambda each: each[1]))


@remembered
def rules_of(slug: str) -> RuleSet | None:
    """Return the rules of a game known here, by its newest approval; None for any other game."""
    if slug in SLUGS:
        return rule_set(slug)
    with without_access_scope():
        approved = Approval.objects.filter(kind=Approval.Kind.COMMISSION).values("subject")
        versions = RuleVersion.objects.filter(game__slug=slug, uuid__in=approved)
        newest = versions.select_related("game").order_by("number").last()
        return None if newest is None else rules_of_version(newest)


def comments_on_request(request: GameRequest) -> CommentsBySection:
    """Return the comments on a request by section: between the filer and its reviewers."""
    comments = list(request.comments.select_related("by_party"))
    papers = cited_documents(RequestAttachment.objects.filter(comment__request=request))
    return comments_by_section(comments, papers)


def find_last_reason(request: GameRequest) -> str:
    """Return the reason for the last step of a request; empty at first."""
    moved = Event.objects.filter(type=MOVED.name, object=request.uuid).order_by("pk").last()
    return moved.reason if moved is not None else ""


def request_to_fix(game: Game) -> GameRequest | None:
    """Return the last card room request for a game's rules, unless it was approved."""
    asked = GameRequest.objects.filter(
        rule_version__game=game, path=GameRequest.Path.COMMERCIAL
    ).select_related("rule_version__game")
    newest = asked.order_by("id").last()
    return None if newest is None or newest.state == GameRequest.State.APPROVED else newest
