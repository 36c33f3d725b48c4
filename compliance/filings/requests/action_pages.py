"""Actions on a request and its approvals; each is a form on the page of the request."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import get_object_or_404, resolve_url

from compliance import clock
from compliance.access.permissions import Action
from compliance.acts.checked import Check, CheckedPage
from compliance.acts.touched import (
    describe_rounds,
    describe_tables,
    letters_about,
    rounds_on_file,
    tables_of_game,
)
from compliance.errors import RefusedError
from compliance.filings.documents.writes import receive_files
from compliance.filings.letters.models import LetterWords
from compliance.filings.requests.approvals import (
    answer_condition,
    mark_condition,
    step_withdrawal,
    who_marks,
    who_withdraws,
)
from compliance.filings.requests.forms import (
    APPROVING,
    ENDINGS,
    REFUSING,
    ChecklistDocumentForm,
    ChecklistForm,
    ConditionAnswerForm,
    MarkForm,
    step_form,
)
from compliance.filings.requests.models import (
    Approval,
    Condition,
    ConditionMark,
    Denial,
    GameRequest,
    Withdrawal,
)
from compliance.filings.requests.pages import (
    RequestPage,
    comment_form,
    commenting_party,
    find_request,
    party_of,
)
from compliance.filings.requests.presentation import describe_request
from compliance.filings.requests.reads import get_checklist, requests_by_approval
from compliance.filings.requests.steps import STEPS
from compliance.filings.requests.writes import (
    add_checklist_document,
    approve_request,
    comment_on,
    refuse_request,
    take_step,
    tick_checklist,
)
from compliance.people.passkeys import SignedAction
from compliance.ui.access import require_sight
from compliance.ui.filters import day, when

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django import forms

    from compliance.access.models import Party
    from compliance.acts.touched import TablesOfGame


TAKES_TWO = frozenset({"approve", "concur"})
"""Decisions of the commission that a second person confirms; an agency may have one reviewer."""
DAYS_BEFORE = timedelta(days=30)
"""How far back rounds are counted to show how much a game is played."""


def describe_withdrawal(
    result: Withdrawal, found: list[TablesOfGame], what: str, game: str = ""
) -> Iterator[str]:
    """Say which tables a withdrawal touches, from when, and how much was dealt there lately."""
    yield describe_tables(found, what)
    if result.in_effect_from is not None:
        yield f"What is dealt there from {when(result.in_effect_from)} on is not authorized."
    else:
        yield "The approval stays in effect until the withdrawal is final (WAC 230-15-045)."
    since = clock.today() - DAYS_BEFORE
    operators = [each.operator for each in found]
    yield describe_rounds(rounds_on_file(since=since, game=game, operators=operators), day(since))


class _RequestAction(SignedAction):
    """An action on a request, for the party that `for_whom` returns."""

    permission = Action.SEE_FILINGS
    shown_on = RequestPage

    def get_subject(self) -> GameRequest:
        return find_request(self.kwargs["uuid"])

    def check_permission(self) -> None:
        super().check_permission()
        action, party = self.for_whom()
        if party is None:
            raise Http404
        require_sight(self.request, action, party)

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action, and the party for which the user needs permission."""
        raise NotImplementedError

    def get_page_url(self) -> str:
        return resolve_url("request", uuid=self.subject.uuid)


class TakeStep(_RequestAction, CheckedPage):
    """Take a step with a request; the commission's approval takes a second person."""

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action of the step, for the agency or the filer."""
        step = STEPS[self.kwargs["name"]]
        return step.action, party_of(step, self.subject)

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        name = self.kwargs["name"]
        return step_form(name, self.subject)(data, prefix=name)

    def is_checked(self) -> bool:
        return self.kwargs["name"] in APPROVING | REFUSING

    def get_second_permission(self) -> Action | None:
        return Action.APPROVE_GAMES if self.kwargs["name"] in TAKES_TWO else None

    def describe(self, result: Approval | Denial, data: dict[str, Any]) -> Check:
        """Name the game, where it is dealt now, the open conditions, and show the letter."""
        version, label = self.subject.rule_version, STEPS[self.kwargs["name"]].label
        touches = [
            f"The decision goes to {self.subject.asked_by}"
            + (f" and {self.subject.asked_by.agency}." if self.subject.asked_by.agency else "."),
            describe_tables(tables_of_game(version.game.slug), str(version.game)),
        ]
        if isinstance(result, Approval):
            touches.append(f"Conditions of the approval: {result.conditions.count()}.")
            touches.append(
                f"Tables that deal an earlier version of {version.game} keep it until their "
                "internal controls choose this one and are approved."
            )
        return Check(
            title=f"{label}: {version}, {self.subject.get_path_display().lower()}",
            touches=tuple(touches),
            letters=letters_about(result),
        )

    def act(self, data: dict[str, Any]) -> object:
        """Take it, unless another was taken meanwhile."""
        name, request = self.kwargs["name"], self.subject
        step = STEPS[name]
        if request.state not in step.of or request.path not in step.paths:
            msg = f"{step.label}: the request is {request.get_state_display().lower()}."
            raise RefusedError(msg)
        letter = {part: data.get(part, "") for part in LetterWords.PARTS}
        if name in APPROVING:
            keep = ("seen", "conditions", "interpretations", "unchecked", "note", "despite")
            approval = {field: data[field] for field in keep if field in data}
            return approve_request(request=request, by=self.person, letter=letter, **approval)
        if name in REFUSING:
            return refuse_request(
                request=request, reasons=data["reason"], by=self.person, letter=letter
            )
        return take_step(request=request, name=name, reason=data["reason"], by=self.person)

    def get_success_message(self, result: Any) -> str:
        filing = describe_request(self.subject)
        return f"{filing.title}: {filing.state.lower()}."


class TickChecklist(_RequestAction):
    """Mark as the tribal agency which checklist lines of the compact a filing meets."""

    success_message = "Checklist saved."

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action, for the agency."""
        return Action.DECIDE_AS_AGENCY, self.subject.asked_by.agency

    def get_form(self, data: Any = None, files: Any = None) -> ChecklistForm:
        return ChecklistForm(get_checklist(self.subject), data, prefix="checklist")

    def act(self, data: dict[str, Any]) -> object:
        return tick_checklist(request=self.subject, by=self.person, **data)


class AddChecklistDocument(_RequestAction):
    """Upload, as the operation, a document for one line of the compact's checklist."""

    success_message = "{result} is on file."

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action, for the operation."""
        return Action.REQUEST_APPROVAL, self.subject.asked_by

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return ChecklistDocumentForm(data, files, prefix=f"item-{self.kwargs['item']}")

    def act(self, data: dict[str, Any]) -> object:
        items = {each.item.uuid: each.item for each in get_checklist(self.subject)}
        item = items.get(self.kwargs["item"])
        if item is None:
            msg = "The compact's checklist has no such item. Choose from the list."
            raise RefusedError(msg)
        with receive_files(data["received"]) as received:
            return add_checklist_document(
                request=self.subject,
                item=item,
                received=received,
                evidence_date=data["evidence_date"],
                by=self.person,
            )


class CommentOnRequest(_RequestAction):
    """Comment on a section of a request."""

    success_message = "Comment added."

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action, for the party in whose name the user comments."""
        self.by_party = commenting_party(self.request, self.subject)
        return Action.COMMENT_ON_REQUESTS, self.by_party

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        assert self.by_party is not None  # noqa: S101 - or it does not exist
        return comment_form(self.subject, self.by_party)(data, prefix="comment")

    def act(self, data: dict[str, Any]) -> object:
        assert self.by_party is not None  # noqa: S101 - or it does not exist
        return comment_on(request=self.subject, by=self.person, by_party=self.by_party, **data)


class _ApprovalAction(_RequestAction):
    """An action on an approval; its subject is the request that led to it."""

    def get_subject(self) -> GameRequest:
        approvals = Approval.objects.select_related("party", "by_party")
        self.approval: Approval = get_object_or_404(approvals, uuid=self.kwargs["uuid"])
        request = requests_by_approval([self.approval]).get(self.approval.uuid)
        if request is None:
            raise Http404
        return request


class _ConditionAction(_ApprovalAction):
    """An action on a condition of an approval."""

    def get_subject(self) -> GameRequest:
        request = super().get_subject()
        place = self.kwargs["place"]
        self.condition: Condition = get_object_or_404(self.approval.conditions, place=place)
        return request


class AnswerCondition(_ConditionAction):
    """Answer a condition as the holder."""

    success_message = "The answer is sent for review."

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action, for the holder."""
        return Action.ANSWER_CONDITIONS, self.approval.party

    def get_form(self, data: Any = None, files: Any = None) -> ConditionAnswerForm:
        prefix = f"answer-{self.approval.pk}-{self.kwargs['place']}"
        return ConditionAnswerForm({self.approval.party}, data, prefix=prefix)

    def act(self, data: dict[str, Any]) -> object:
        return answer_condition(condition=self.condition, by=self.person, **data)


class MarkCondition(_ConditionAction):
    """Mark the state of a condition."""

    success_message = "The condition is marked."

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action, for the party that gave the approval."""
        return who_marks(self.approval)

    def get_form(self, data: Any = None, files: Any = None) -> MarkForm:
        return MarkForm(data, prefix=f"mark-{self.approval.pk}-{self.kwargs['place']}")

    def act(self, data: dict[str, Any]) -> object:
        data["mark"] = ConditionMark.Mark(data["mark"])
        return mark_condition(condition=self.condition, by=self.person, **data)


class WithdrawApproval(_ApprovalAction, CheckedPage):
    """Take a step of withdrawing an approval."""

    success_message = "The step is on file."

    def for_whom(self) -> tuple[Action, Party | None]:
        """Return the action, for the holder or for the party that gave the approval."""
        return who_withdraws(self.approval, ENDINGS[self.kwargs["name"]].step)

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        name = self.kwargs["name"]
        return ENDINGS[name].form(data, prefix=f"{name}-{self.approval.pk}")

    def is_checked(self) -> bool:
        return ENDINGS[self.kwargs["name"]].step != Withdrawal.Step.OBJECTED

    def describe(self, result: Withdrawal, data: dict[str, Any]) -> Check:
        """Name the tables that deal the game, and how much it was played lately."""
        version = self.subject.rule_version
        game, found = str(version.game), tables_of_game(version.game.slug)
        return Check(
            title=f"{ENDINGS[self.kwargs['name']].label}: {version}, {self.approval.party}",
            touches=(
                f"The holder is {self.approval.party}.",
                *describe_withdrawal(result, found, game, version.game.slug),
            ),
        )

    def act(self, data: dict[str, Any]) -> object:
        step = ENDINGS[self.kwargs["name"]].step
        return step_withdrawal(approval=self.approval, step=step, by=self.person, **data)
