"""Requests for approval: the list, a new one, the page of one, and the home page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.conf import settings
from django.db.models import Q
from django.shortcuts import get_object_or_404, resolve_url

from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import COMMISSION_ROLES, Action, PartyKind, may
from compliance.events.digests import state_digest
from compliance.filings.documents.forms import SectionForm
from compliance.filings.documents.reads import cited_documents
from compliance.filings.games.models import Game, RuleVersion
from compliance.filings.games.odds_tables import odds_of_version
from compliance.filings.games.reads import filed_documents
from compliance.filings.letters.forms import initial_words
from compliance.filings.letters.reads import template_of
from compliance.filings.requests.approvals import (
    is_step_open,
    steps_taken,
    who_marks,
    who_withdraws,
)
from compliance.filings.requests.condition_records import check_by_records
from compliance.filings.requests.conditions import condition_state, find_open_conditions
from compliance.filings.requests.forms import (
    APPROVING,
    ENDINGS,
    REFUSING,
    ChecklistDocumentForm,
    ChecklistForm,
    ConditionAnswerForm,
    MarkForm,
    RequestFilters,
    RequestForm,
    step_form,
)
from compliance.filings.requests.models import Approval, ConditionAttachment, GameRequest
from compliance.filings.requests.presentation import (
    add_comments,
    describe_request,
    present_request,
)
from compliance.filings.requests.reads import (
    approved_rule_versions,
    documents_of_request,
    find_last_reason,
    get_checklist,
    list_decisions,
    person_names,
)
from compliance.filings.requests.steps import STEPS, steps_from
from compliance.filings.requests.writes import (
    BEFORE_THE_AGENCY,
    deciding_party,
    is_own,
    replaceable,
    submit_request,
)
from compliance.ui.access import allows, asked
from compliance.ui.pages import FormPage, ListPage, Page
from compliance.ui.tables import DayColumn, ListTable, show_state

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from django import forms
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from compliance.access.models import Person
    from compliance.filings.requests.reads import ChecklistLine, Decision
    from compliance.filings.requests.steps import Step


NEWEST = 10
State = GameRequest.State


class RequestTable(ListTable):
    """Requests, newest first."""

    rules = tables.Column(
        accessor="rule_version",
        order_by="rule_version__game__name",
        verbose_name="Rules of play",
        linkify=("request", {"uuid": tables.A("uuid")}),
    )
    path = tables.Column(accessor="get_path_display", order_by="path")
    asked_by = tables.Column(verbose_name="Requested by", order_by="asked_by__name")
    state = tables.Column()
    due = DayColumn(verbose_name="Missing items due")
    since = DayColumn()
    caption = "Requests, newest first"

    class Meta:
        orderable = True

    def render_state(self, record: GameRequest) -> SafeString:
        filing = describe_request(record)
        return show_state(filing.mark, filing.state)


def own_requests(request: HttpRequest, party: Party) -> dict[str, Any]:
    """Return the newest requests with their state, and the open conditions of approvals."""
    found = GameRequest.objects.filter(
        Q(asked_by=party) | Q(asked_by__agency=party)
    ).select_related("rule_version__game", "asked_by__agency")
    files = allows(request, Action.FILE_GAMES, party)
    is_agency = party.kind == PartyKind.TRIBAL_AGENCY
    hidden = ("path", "due") if is_agency else ("path", "due", "asked_by")
    return {
        "requests": RequestTable(found[:NEWEST], exclude=hidden, orderable=False),
        "to_meet": find_open_conditions([party]),
        "games": Game.objects.filter(supplier=party) if files else (),
        "asks": allows(request, Action.REQUEST_APPROVAL, party),
        "files": files,
        "agency": is_agency,
    }


class RequestList(ListPage):
    """Requests in the access scope."""

    permission = Action.SEE_FILINGS
    template_name = "requests/requests.html"
    table_class = RequestTable
    filter_class = RequestFilters
    by = None

    def get_rows(self) -> QuerySet[GameRequest]:
        return GameRequest.objects.select_related("rule_version__game", "asked_by__agency")

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {
            "asks": self.allows(Action.REQUEST_APPROVAL),
            "writes_letters": self.allows(Action.APPROVE_GAMES)
            or self.allows(Action.DECIDE_AS_AGENCY),
        }


class NewRequest(FormPage):
    """Request approval of a rule version, on either path."""

    permission = Action.REQUEST_APPROVAL
    template_name = "requests/ask.html"
    title = "Request approval of a game"
    button = "Submit request"
    success_message = "The request is submitted."

    def get_form(self, data: Any = None, files: Any = None) -> RequestForm:
        parties = [
            each
            for each in Party.objects.exclude(kind=PartyKind.TRIBAL_AGENCY)
            if allows(self.request, Action.REQUEST_APPROVAL, each)
        ]
        versions = _requestable(parties)
        self.versions = {str(each.uuid): each for each in versions}
        uuid = self.request.GET.get("rule_version")
        chosen = [each for each in versions if str(each.uuid) == uuid] or versions
        return RequestForm(
            _paths(parties),
            parties,
            versions,
            data,
            replaces=_replaces(parties, chosen),
            initial=self.request.GET.dict(),
        )

    def act(self, data: dict[str, Any]) -> GameRequest:
        return submit_request(
            rule_version=self.versions[data["rule_version"]],
            path=GameRequest.Path(data["path"]),
            asked_by=Party.objects.get(code=data["asked_by"]),
            by=self.person,
            replaces=data.get("replaces", False),
        )

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"files": self.allows(Action.FILE_GAMES)}

    def get_success_url(self, result: GameRequest) -> str:
        return resolve_url("request", uuid=result.uuid)


def _replaces(parties: Iterable[Party], versions: Iterable[RuleVersion]) -> bool:
    """Return whether a version could replace one in these parties' open requests."""
    earlier = {
        each.rule_version.game_id: each.rule_version.number
        for party in parties
        for path in GameRequest.Path
        for each in replaceable(path, party)
    }
    return any(earlier.get(each.game_id, each.number) < each.number for each in versions)


def _paths(parties: Iterable[Party]) -> list[GameRequest.Path]:
    """Return the paths: tribal operations ask their agency, all others the commission."""
    tribal = {each.kind == PartyKind.TRIBAL_OPERATION for each in parties}
    paths = {False: GameRequest.Path.COMMERCIAL, True: GameRequest.Path.TRIBAL}
    return [path for is_tribal, path in paths.items() if is_tribal in tribal]


def _requestable(parties: Collection[Party]) -> list[RuleVersion]:
    """Return the rules to request: own and commission games; for a tribe, approved ones."""
    found: list[RuleVersion] = []
    paths = _paths(parties)
    if GameRequest.Path.COMMERCIAL in paths:
        codes = [each.pk for each in parties]
        own = Q(game__supplier__in=codes) | Q(game__supplier=None)
        found += RuleVersion.objects.filter(own).select_related("game")
    if GameRequest.Path.TRIBAL in paths:
        found += approved_rule_versions()
    return found


SAYS_WHY = {State.INCOMPLETE, State.CLOSED}
"""The states in which the last step's reason was written to the filer."""


def find_request(uuid: Any) -> GameRequest:
    """Return a request in the access scope: of the user's party, or of its operation."""
    requests = GameRequest.objects.select_related("rule_version__game", "asked_by__agency")
    return get_object_or_404(requests, uuid=uuid)


def letter_words(name: str, request: GameRequest, person: Person) -> dict[str, str]:
    """Return the words with which the letter about a decision begins; none for other steps."""
    if name not in APPROVING | REFUSING:
        return {}
    party = deciding_party(request, person)
    return initial_words(party, template_of(party))


def party_of(step: Step, request: GameRequest) -> Party | None:
    """Return the party for which a step needs permission: the agency or the filer."""
    if step.action == Action.DECIDE_AS_AGENCY:
        return request.asked_by.agency
    return request.asked_by


def commenting_party(http_request: HttpRequest, request: GameRequest) -> Party | None:
    """Return the party a comment is made for."""
    concerned = {request.asked_by_id, request.asked_by.agency_id}
    parties = [
        each.party
        for each in asked(http_request).memberships
        if may([each], Action.COMMENT_ON_REQUESTS)
        and (each.role in COMMISSION_ROLES or each.party_id in concerned)
    ]
    return parties[0] if parties else None


def comment_form(request: GameRequest, party: Party) -> partial[SectionForm]:
    """Return how to make the form for comments of a party on a request."""
    sections = [(each.key, each.heading) for each in present_request(request, ())]
    return partial(SectionForm, sections, {party, request.asked_by})


class RequestPage(Page):
    """One request: its subject, decisions, comments, and next steps."""

    permission = Action.SEE_FILINGS
    template_name = "requests/request.html"

    def get_subject(self) -> GameRequest:
        return find_request(self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Collect the filing, what was decided and said about it, and what the user can do."""
        request: GameRequest = self.subject
        version = request.rule_version
        digest = state_digest(version)
        approvals = list_decisions(
            Approval.objects.filter(subject=version.uuid, party=request.asked_by)
        )
        papers = filed_documents(version)
        sections = present_request(request, [each.approval for each in approvals])
        denials = list(request.denials.all())
        names = person_names(each.by for each in denials)
        reads_rules = settings.READING_ROOM and version in approved_rule_versions()
        sees_rules = RuleVersion.objects.filter(pk=version.pk).exists()
        return {
            "asked_for": request,
            "filing": describe_request(request, clock.today()),
            "version": version,
            "sections": add_comments(request, sections, papers, reads=sees_rules or reads_rules),
            "documents": documents_of_request(request),
            "reads_rules": reads_rules,
            "why": find_last_reason(request) if request.state in SAYS_WHY else "",
            "findings": version.findings.all(),
            "odds": odds_of_version(version) if sees_rules or reads_rules else None,
            "digest": digest,
            "steps": list(self.steps(digest)),
            "comment": self.comment_form(),
            "mends": self.can_file_next_version(),
            "denials": [(each, names.get(each.by, "")) for each in denials],
            "checklist": self.checklist(),
            "approvals": [
                {
                    "decision": each,
                    "conditions": list(self.conditions(each)),
                    "withdrawals": list(self.withdrawals(each)),
                }
                for each in approvals
            ],
            "sees_rules": sees_rules,
        }

    def comment_form(self) -> forms.Form | None:
        """Return the form for comments, on the section in the address."""
        party = commenting_party(self.request, self.subject)
        if party is None:
            return None
        section = self.request.GET.get("section")
        return self.form(comment_form(self.subject, party), "comment", section=section)

    def steps(self, digest: str) -> Iterator[dict[str, Any]]:
        """Yield the steps that the state and the roles allow, and one just refused."""
        request: GameRequest = self.subject
        own, open_now = is_own(request, self.person), steps_from(request)
        for name, step in STEPS.items():
            party = party_of(step, request)
            is_offered = (
                name in open_now
                and party is not None
                and allows(self.request, step.action, party)
                and step.is_for(own=own)
            )
            if is_offered or self.is_refused(name):
                words = letter_words(name, request, self.person) if is_offered else {}
                form = self.form(
                    step_form(name, request), name, seen=digest, reason=step.usual, **words
                )
                decides = name in APPROVING
                yield {"step": step, "form": form, "decides": decides, "url": f"request_{name}"}

    def can_file_next_version(self) -> bool:
        """Return whether the user may file a next version of the rules, to request instead."""
        request: GameRequest = self.subject
        supplier = request.rule_version.game.supplier
        if supplier is None or request.asked_by != supplier:
            return False
        is_open = request.state in STEPS["take_back"].of
        may_file = allows(self.request, Action.FILE_GAMES, supplier)
        return is_open and may_file and is_own(request, self.person)

    def checklist(self) -> dict[str, Any]:
        """Return the compact's checklist, with the form if the user is the agency."""
        request: GameRequest = self.subject
        lines = get_checklist(request)
        agency = request.asked_by.agency
        ticks = agency is not None and allows(self.request, Action.DECIDE_AS_AGENCY, agency)
        ticks = ticks and bool(lines) and request.state in BEFORE_THE_AGENCY
        return {
            "lines": lines,
            "there": sum(each.tick is not None and each.tick.there for each in lines),
            "form": self.form(partial(ChecklistForm, lines), "checklist")
            if ticks or self.is_refused("checklist")
            else None,
            "uploads": list(self.uploads(lines)),
        }

    def uploads(self, lines: Iterable[ChecklistLine]) -> Iterator[tuple[ChecklistLine, Any]]:
        """Yield each line with the form to upload a document, while the agency has the request."""
        request: GameRequest = self.subject
        is_open = request.state in BEFORE_THE_AGENCY
        is_open = is_open and allows(self.request, Action.REQUEST_APPROVAL, request.asked_by)
        own = is_open and is_own(request, self.person)
        for each in lines:
            name = f"item-{each.item.uuid}"
            offered = own or self.is_refused(name)
            yield each, self.form(ChecklistDocumentForm, name) if offered else None

    def conditions(self, decision: Decision) -> Iterator[dict[str, Any]]:
        """Yield an approval's conditions: the state, the answers, and the possible actions."""
        approval = decision.approval
        marks = allows(self.request, *who_marks(approval))
        answers = allows(self.request, Action.ANSWER_CONDITIONS, approval.party)
        papers = cited_documents(
            ConditionAttachment.objects.filter(comment__condition__approval=approval)
        )
        answer_form = partial(ConditionAnswerForm, {approval.party})
        for each in approval.conditions.all():
            mark, answer = (f"{name}-{approval.pk}-{each.place}" for name in ("mark", "answer"))
            state = condition_state(each)
            answers_now = (answers and state.state != "met") or self.is_refused(answer)
            yield {
                "condition": each,
                "state": state,
                "record": check_by_records(each),
                "marks": each.marks.all(),
                "answers": [(said, papers.get(said.pk, [])) for said in each.answers.all()],
                "mark_form": self.form(MarkForm, mark) if marks else None,
                "answer_form": self.form(answer_form, answer) if answers_now else None,
            }

    def withdrawals(self, decision: Decision) -> Iterator[dict[str, Any]]:
        """Yield the steps of withdrawing an approval that are open to the user now."""
        taken = steps_taken(decision.approval)
        for name, ending in ENDINGS.items():
            prefix = f"{name}-{decision.approval.pk}"
            is_allowed = allows(self.request, *who_withdraws(decision.approval, ending.step))
            if (is_allowed and is_step_open(ending.step, taken)) or self.is_refused(prefix):
                form = self.form(ending.form, prefix)
                yield {"label": ending.label, "form": form, "url": f"approval_{name}"}
