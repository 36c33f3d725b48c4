"""Acts that wait for a second person: the list, and the page on which that person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import django_tables2 as tables
from django import forms
from django.db import transaction
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import Resolver404, resolve
from django_filters import ChoiceFilter, FilterSet

from compliance.access.permissions import Action, may
from compliance.access.scope import memberships_of
from compliance.acts.models import ProposedAct
from compliance.acts.writes import NOT_THEIRS, OWN_PROPOSAL, confirm_act, turn_down_act
from compliance.errors import RefusedError
from compliance.people.passkeys import SignedAction
from compliance.ui.access import accepted, person_of
from compliance.ui.forms import ReasonForm
from compliance.ui.pages import ListPage, Page
from compliance.ui.tables import ListTable, WhenColumn

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

    from compliance.access.models import Party, Person
    from compliance.acts.checked import Check, CheckedPage


State = ProposedAct.State


def acts_to_decide(request: HttpRequest, party: Party) -> int | None:
    """Return how many acts wait for this person on the home page; None if none do."""
    return acts_for(person_of(request)).count() or None


def acts_for(person: Person) -> QuerySet[ProposedAct]:
    """Return the proposed acts that a person may confirm."""
    roles = memberships_of(person)
    permissions = [each for each in Action if may(roles, each)]
    found = ProposedAct.objects.filter(state=State.PROPOSED, permission__in=permissions)
    return found.exclude(proposed_by=person)


def open_act_at(address: str) -> ProposedAct | None:
    """Return the act that is proposed at an address and waits for its second person, if any."""
    rows = ProposedAct.objects.select_related("proposed_by")
    return rows.filter(address=address, state=State.PROPOSED).first()


class ActTable(ListTable):
    """Proposed acts, newest first."""

    title = tables.Column(verbose_name="Act", linkify=("act", {"uuid": tables.A("uuid")}))
    state = tables.Column(accessor="get_state_display")
    proposed_by = tables.Column(verbose_name="Proposed by")
    proposed = WhenColumn()
    decided_by = tables.Column(verbose_name="Decided by")
    caption = "Acts that take two people, newest first"


class ActFilters(FilterSet):  # type: ignore[misc]
    """Which acts to show."""

    state = ChoiceFilter(choices=State.choices, empty_label="Any state")


class ActList(ListPage):
    """Acts that take two people."""

    permission = Action.CONFIRM_ACTS
    template_name = "acts/list.html"
    table_class = ActTable
    filter_class = ActFilters
    by = ("-proposed", "-pk")

    def get_rows(self) -> QuerySet[ProposedAct]:
        return ProposedAct.objects.select_related("proposed_by", "decided_by")

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"mine": acts_for(self.person).count()}


def find_act(uuid: Any) -> ProposedAct:
    """Return a proposal, or raise Http404."""
    rows = ProposedAct.objects.select_related("proposed_by", "decided_by")
    return get_object_or_404(rows, uuid=uuid)


def page_of(proposal: ProposedAct, request: HttpRequest, person: Person) -> CheckedPage:
    """Return the page that does the act, for this person; raise Http404 if it is not theirs."""
    try:
        match = resolve(proposal.address)
    except Resolver404 as gone:
        raise Http404 from gone
    page: CheckedPage = cast("Any", match.func).view_class()
    page.setup(request, *match.args, **match.kwargs)
    page.person = person
    page.subject = page.get_subject()
    page.check_permission()
    return page


def rehearse(proposal: ProposedAct, page: CheckedPage) -> tuple[Check | None, str]:
    """Return what the act would do now, or why it cannot be done any more."""
    form = page.get_form(QueryDict(proposal.answers))
    try:
        check = page.rehearse(form)
    except Http404:
        return None, f"{page.person} may not do this."
    says = " ".join(str(error) for errors in form.errors.values() for error in errors)
    return check, says


class ActPage(Page):
    """One proposed act: its answers, what it touches now, and the decision."""

    permission = Action.CONFIRM_ACTS
    template_name = "acts/act.html"

    def get_subject(self) -> ProposedAct:
        return find_act(self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        proposal: ProposedAct = self.subject
        context: dict[str, Any] = {"act": proposal, "is_open": proposal.state == State.PROPOSED}
        if not context["is_open"]:
            return context
        own = proposal.proposed_by_id == self.person.pk
        decides = acts_for(self.person).filter(pk=proposal.pk).exists()
        check, why_not = None, OWN_PROPOSAL if own else ""
        try:
            check, refusal = rehearse(proposal, page_of(proposal, self.request, self.person))
            why_not = refusal or why_not
        except Http404:
            why_not = NOT_THEIRS
        if not (own or decides):
            why_not = NOT_THEIRS
        return context | {
            "check": check,
            "digest": check.digest() if check else "",
            "why_not": why_not,
            "own": own,
            "decides": own or decides,
            "form": self.form(ReasonForm, "down"),
        }


class _ActAction(SignedAction):
    """An action on the page of a proposed act."""

    permission = Action.CONFIRM_ACTS
    returns_to = ("act", "uuid")

    def get_subject(self) -> ProposedAct:
        return find_act(self.kwargs["uuid"])


class CheckedForm(forms.Form):
    """What the second person was shown."""

    checked = forms.CharField(max_length=64)


class ConfirmAct(_ActAction):
    """Confirm a proposed act as the second person: it is done at once."""

    form_class = CheckedForm

    def act(self, data: dict[str, Any]) -> str:
        """Do it, if both people may and it would do what was shown."""
        proposal: ProposedAct = self.subject
        try:
            page = page_of(proposal, self.request, self.person)
        except Http404 as not_theirs:
            raise RefusedError(NOT_THEIRS) from not_theirs
        self._require_proposer(proposal)
        check, why_not = rehearse(proposal, page)
        if check is None:
            raise RefusedError(why_not)
        if check.digest() != data["checked"]:
            msg = "What this act would do has changed since you looked. Check it again."
            raise RefusedError(msg)
        with transaction.atomic():
            confirm_act(proposal=proposal, by=self.person)
            form = page.get_form(QueryDict(proposal.answers))
            result = accepted(form, page.act)
            if form.errors:
                raise RefusedError(" ".join(map(str, form.non_field_errors())))
            return page.get_success_message(result)

    def _require_proposer(self, proposal: ProposedAct) -> None:
        """Reject it if the proposer could not do it any more."""
        page = page_of(proposal, self.request, self.person)
        page.person = proposal.proposed_by
        check, why_not = rehearse(proposal, page)
        if check is None:
            msg = f"{proposal.proposed_by} could not do this now. {why_not}"
            raise RefusedError(msg)

    def get_success_message(self, result: str) -> str:
        return result

    def get_success_url(self, result: str) -> str:
        return resolve_url("act", uuid=self.subject.uuid)


class TurnDownAct(_ActAction):
    """Turn a proposal down, or withdraw one's own."""

    shown_on = ActPage
    form_class = ReasonForm
    form_name = "down"
    success_message = "Nothing was changed. The proposal is closed, and your reason is on record."

    def act(self, data: dict[str, Any]) -> None:
        turn_down_act(proposal=self.subject, by=self.person, **data)
