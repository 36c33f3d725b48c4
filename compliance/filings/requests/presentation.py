"""Requests in words: what each is, its state, its next step, its sections and its changes.

Pages, queues, tasks and notifications take their words from here, and those about internal controls
from the presentation of controls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from django.urls import reverse

from compliance.access.permissions import Action
from compliance.filings.documents.models import Document
from compliance.filings.documents.reads import WHOLE
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.presentation import compare_rules, present_rules
from compliance.filings.games.reads import CONDITIONS, PAPER, paper_section
from compliance.filings.requests.models import Approval, GameRequest
from compliance.filings.requests.reads import comments_on_request
from compliance.filings.requests.writes import usual_conditions
from compliance.ui.comparison import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from compliance.access.models import Party
    from compliance.filings.documents.reads import SectionComment
    from compliance.filings.games.reads import FiledDocument
    from compliance.ui.comparison import Compared, LinePair


Path = GameRequest.Path
State = GameRequest.State


@dataclass(frozen=True)
class NextStep:
    """Who does what next, the action that does it, and the filer's or agency's task."""

    says: str
    action: Action
    task: str = ""


REQUEST_STEPS: dict[tuple[str, str], NextStep] = {
    (Path.COMMERCIAL, State.SUBMITTED): NextStep(
        "The licensing unit starts the review", Action.REVIEW_GAMES
    ),
    (Path.COMMERCIAL, State.INCOMPLETE): NextStep(
        "{party} supplies what is missing",
        Action.REQUEST_APPROVAL,
        "Send what is missing in the request for {title}",
    ),
    (Path.COMMERCIAL, State.UNDER_REVIEW): NextStep(
        "The commission reviews it and decides", Action.APPROVE_GAMES
    ),
    (Path.COMMERCIAL, State.SUBSTANTIAL_INTEREST): NextStep(
        "The commission's financial investigators review substantial interests",
        Action.REVIEW_INTERESTS,
    ),
    (Path.TRIBAL, State.SUBMITTED): NextStep(
        "{agency} reviews it and decides",
        Action.DECIDE_AS_AGENCY,
        "Decide on the request of {party}: {title}",
    ),
    (Path.TRIBAL, State.AGENCY_APPROVED): NextStep(
        "{agency} seeks the commission's concurrence",
        Action.DECIDE_AS_AGENCY,
        "Seek the commission's concurrence for {party}: {title}",
    ),
    (Path.TRIBAL, State.CONCURRENCE_SOUGHT): NextStep(
        "The commission concurs or objects", Action.APPROVE_GAMES
    ),
}
REQUEST_OVERDUE = NextStep(
    "The licensing unit decides whether to close it: what was missing did not come",
    Action.REVIEW_GAMES,
)
MARKS: dict[str, str] = {
    State.APPROVED: "working",
    State.INCOMPLETE: "attention",
    State.DENIED: "failing",
    State.OBJECTED: "failing",
}


@dataclass(frozen=True, kw_only=True)
class Filing:
    """A filing in words: `title` for its own party's people, `name` for all others.

    `mark` is the symbol of its state. `next_step` is empty and `action` is None if nothing follows.
    """

    uuid: UUID
    kind: str
    title: str
    name: str
    party: Party
    state: str
    mark: str = "waiting"
    since: datetime | None = None
    due: date | None = None
    next_step: str = ""
    action: Action | None = None
    task: str = ""
    url_name: str
    url_args: tuple[str, ...]
    anchor: str = ""

    @property
    def url(self) -> str:
        """Return the page on which it is reviewed, commented on and decided."""
        return f"{reverse(self.url_name, args=self.url_args)}{self.anchor and f'#{self.anchor}'}"


def describe_request(request: GameRequest, today: date | None = None) -> Filing:
    """Describe a request; with `today`, as overdue if its due date has passed."""
    step = REQUEST_STEPS.get((request.path, request.state))
    if step and today and request.due and request.due < today:
        step = REQUEST_OVERDUE
    title = str(request.rule_version)
    words = {"party": request.asked_by, "agency": request.asked_by.agency, "title": title}
    return Filing(
        uuid=request.uuid,
        kind="request",
        title=title,
        name=str(request),
        party=request.asked_by,
        state=request.get_state_display(),
        mark=MARKS.get(request.state, "waiting"),
        since=request.since,
        due=request.due,
        next_step=step.says.format(**words) if step else "",
        action=step.action if step else None,
        task=step.task.format(**words) if step else "",
        url_name="request",
        url_args=(str(request.uuid),),
    )


@dataclass(frozen=True)
class RequestSection:
    """A section with its document, if it is one, and its comments.

    Its content is `closed` to readers who may see the request but not its rules.
    """

    section: Section
    document: FiledDocument | None
    remarks: Sequence[SectionComment]
    closed: bool


def present_request(request: GameRequest, approvals: Iterable[Approval]) -> list[Section]:
    """Return the sections of a request in reading order."""
    return [
        *present_rules(request.rule_version),
        Section(CONDITIONS, "Conditions", _conditions(request, approvals)),
        Section(WHOLE, "The request as a whole", ()),
    ]


def add_comments(
    request: GameRequest,
    sections: Iterable[Section],
    documents: Iterable[FiledDocument],
    *,
    reads: bool,
) -> list[RequestSection]:
    """Return these sections with their comments; `reads` says whether the rules are readable."""
    remarks = comments_on_request(request)
    of_section = {paper_section(each.paper.document): each for each in documents}
    return [
        RequestSection(
            section=each,
            document=of_section.get(each.key),
            remarks=remarks.get(each.key, ()),
            closed=not reads and each.key not in {WHOLE, CONDITIONS} and PAPER not in each.key,
        )
        for each in sections
    ]


def _conditions(request: GameRequest, approvals: Iterable[Approval]) -> tuple[str, ...]:
    given = [each.says for approval in approvals for each in approval.conditions.all()]
    if given:
        return tuple(dict.fromkeys(given))
    usual = usual_conditions(GameRequest.Path(request.path))
    return ("An approval usually has these:", *(each.says for each in usual))


class NumberedVersion(Protocol):
    """A version of rules of play or of internal controls."""

    number: int


@dataclass(frozen=True)
class VersionChanges:
    """A filing compared to an earlier version: the changed sections and names of the others."""

    earlier: NumberedVersion
    number: int
    changed: list[tuple[str, tuple[LinePair, ...], str]]
    """Heading, rows, and the link that compares a document's texts, if the user may see it."""
    same: list[str]


def rule_version_changes(version: RuleVersion) -> VersionChanges | None:
    """Compare rules of play to the last approved version before them, else to the last one."""
    before = RuleVersion.objects.filter(game=version.game_id, number__lt=version.number)
    approved = Approval.objects.filter(kind=Approval.Kind.COMMISSION).values("subject")
    earlier = before.filter(uuid__in=approved).last() or before.last()
    if earlier is None:
        return None
    sections = compare_rules(earlier, version)
    return compare_versions(earlier, version.number, sections, _text_links(earlier, version))


def _text_links(before: RuleVersion, after: RuleVersion) -> dict[str, str]:
    """Return links to text comparisons of documents in both versions, by section."""
    numbers: list[dict[Document, int]] = [
        {
            each.document_version.document: each.document_version.number
            for each in version.documents.select_related("document_version__document")
        }
        for version in (before, after)
    ]
    old, new = numbers
    visible = set(Document.objects.filter(pk__in=[each.pk for each in new]))
    return {
        paper_section(each): f"{reverse('compare_document', args=[each.uuid])}"
        f"?before={old[each]}&after={number}"
        for each, number in new.items()
        if each in visible and old.get(each, number) != number
    }


def compare_versions(
    earlier: NumberedVersion,
    number: int,
    sections: list[Compared],
    texts: Mapping[str, str] | None = None,
) -> VersionChanges:
    """Return the sections that differ, with links to the texts of documents, and the others."""
    links = texts or {}
    return VersionChanges(
        earlier=earlier,
        number=number,
        changed=[
            (each.section.heading, each.rows, links.get(each.section.key, ""))
            for each in sections
            if each.changed
        ],
        same=[each.section.heading for each in sections if not each.changed],
    )
