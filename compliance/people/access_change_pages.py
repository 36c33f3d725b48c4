"""Pages of access changes: invitations, ended roles, lost second factors, second person."""

from __future__ import annotations

from contextlib import contextmanager
from smtplib import SMTPException
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
import structlog
from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect

from compliance.access.models import Membership, Party
from compliance.access.permissions import ROLES_OF_ACTION, ROLES_OF_KIND, Action, PartyKind, Role
from compliance.errors import NotAllowedError, RefusedError
from compliance.mail import why
from compliance.people import access_changes as services
from compliance.people.access_changes import (
    acts_alone,
    changes_to_decide,
    deciders_of,
    has_expired,
    past_changes,
    reset_of,
    undecided_changes,
    why_not_decide,
)
from compliance.people.models import AccessChange
from compliance.people.passkeys import SignedAction
from compliance.people.second_factor import is_second_factor_fresh, to_second_factor
from compliance.ui.access import asked, person_of
from compliance.ui.filters import day
from compliance.ui.forms import LongField, ReasonForm
from compliance.ui.pages import ActionPage, ListPage, OfParty, Page
from compliance.ui.tables import ListTable, WhenColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse


NOT_SENT = (
    "The email could not be sent, so nothing was changed. Try again, or give this message to the "
    "people who run this system."
)
USE_IT = (
    "Use your second factor again. Changing access requires one used within the last five minutes."
)
YOU_CAN = "You can decide this."
State = AccessChange.State
log = structlog.get_logger(__name__)


@contextmanager
def explain_failure() -> Iterator[None]:
    """Say why a change is not made: it is not theirs to decide, or its email cannot be sent."""
    try:
        yield
    except NotAllowedError as not_theirs:
        raise RefusedError(str(not_theirs)) from not_theirs
    except (OSError, SMTPException) as failure:
        log.exception("an email about access could not be sent")
        msg = f"{NOT_SENT} {why(failure)}"
        raise RefusedError(msg) from failure


class AccessAction(SignedAction):
    """A change of access, which may require a second factor used just before."""

    def needs_second_factor(self) -> bool:
        """Return whether the second factor must have been used in the last minutes."""
        return True

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the form, after the second factor."""
        return self.ask_second_factor() or super().get(request, **address)

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Do it, after the second factor."""
        return self.ask_second_factor() or super().post(request, **address)

    def ask_second_factor(self) -> HttpResponse | None:
        """Redirect to the second factor unless it was just used."""
        if not self.needs_second_factor() or is_second_factor_fresh(self.request, self.person):
            return None
        messages.info(self.request, USE_IT)
        then = self.request.path if self.template_name else self.get_page_url()
        return redirect(to_second_factor(self.person, then))


class InviteForm(forms.Form):
    """Whom to invite, to which role, and why, if a second person must confirm it."""

    email = forms.EmailField(label="Email address", max_length=254)
    role = forms.TypedChoiceField(label="Role", coerce=Role)
    reason = LongField(label="Why")

    def __init__(self, party: Party, data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["role"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(each.value, each.label) for each in _roles_in(party)]
        if not _takes_two(party):
            del self.fields["reason"]


def _roles_in(party: Party) -> list[Role]:
    return sorted(ROLES_OF_KIND[PartyKind(party.kind)])


def _takes_two(party: Party) -> bool:
    return party.kind == PartyKind.COMMISSION_UNIT


class AccessForm(AccessAction):
    """A page with the form of a change in a party."""

    permission = Action.MANAGE_PEOPLE
    template_name = "people/access_form.html"
    returns_to = ("people", "code")
    success_message = "{result}"
    form_class = ReasonForm
    button = ""

    def needs_second_factor(self) -> bool:
        """Return whether it takes two people."""
        return _takes_two(self.change_party)

    @property
    def change_party(self) -> Party:
        """Return the party in which the role is."""
        party = self.party
        assert party is not None  # noqa: S101 - the address names one
        return party

    def get_heading(self) -> str:
        """Return what changes, as the heading of the page."""
        raise NotImplementedError

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {
            "party": self.change_party,
            "heading": self.get_heading(),
            "button": self.button,
            "takes_two": _takes_two(self.change_party),
            "alone": acts_alone(self.person),
        }


class InvitePerson(OfParty, AccessForm):
    """Invite a person by email."""

    button = "Send invitation"

    def get_heading(self) -> str:
        """Name the party."""
        return f"Invite a person to {self.subject}"

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return InviteForm(self.subject, data)

    def get_context(self) -> dict[str, Any]:
        roles = [
            (role.label, [each.label for each in Action if role in ROLES_OF_ACTION[each]])
            for role in _roles_in(self.subject)
        ]
        return super().get_context() | {"roles": roles}

    def act(self, data: dict[str, Any]) -> str:
        """Invite the person, or propose it; return which."""
        email = data["email"].lower()
        with explain_failure():
            change = services.invite_person(
                party=self.subject,
                role=data["role"],
                email=email,
                reason=data.get("reason", ""),
                by=self.person,
            )
        if change is None or change.state == State.DONE_ALONE:
            return f"{email} is invited and has an email with a link to accept."
        return f"The invitation will be sent to {email} when a second person confirms it."


class EndRole(AccessForm):
    """End a role, with a reason."""

    button = "End role"

    def get_subject(self) -> Membership:
        roles = Membership.objects.select_related("person", "party").filter(ended=None)
        return get_object_or_404(
            roles, party__code=self.kwargs["code"], pk=self.kwargs["membership"]
        )

    def get_heading(self) -> str:
        """Name the person and the role."""
        return f"End {self.subject.person}’s role: {self.subject.get_role_display()}"

    def act(self, data: dict[str, Any]) -> str:
        """End the role, or propose it; return which."""
        role: Membership = self.subject
        with explain_failure():
            change = services.end_persons_role(membership=role, by=self.person, **data)
        if change is None or change.state == State.DONE_ALONE:
            return f"{role.person} no longer has the role {role.get_role_display()}."
        return f"{role.person}’s role ends when a second person confirms it."


class ResetSecondFactor(EndRole):
    """Propose to reset the second factor of a person who lost it."""

    button = "Propose reset"

    def needs_second_factor(self) -> bool:
        """Always require it."""
        return True

    def get_heading(self) -> str:
        """Name the person."""
        return f"Reset {self.subject.person}’s second factor"

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"resets": True}

    def act(self, data: dict[str, Any]) -> str:
        """Propose it; return what happens next."""
        person = self.subject.person
        with explain_failure():
            services.propose(
                what=AccessChange.What.RESET,
                party=self.subject.party,
                person=person,
                by=self.person,
                **data,
            )
        return (
            f"{person} was notified. The second factor is reset when someone from another unit "
            "confirms it."
        )


class ChangeTable(ListTable):
    """Decided or expired access changes, newest first."""

    change = tables.Column(empty_values=(), linkify=("access_change", {"uuid": tables.A("uuid")}))
    proposed_by = tables.Column()
    result = tables.Column(empty_values=())
    caption = "Decided or expired, newest first"

    def render_change(self, record: AccessChange) -> str:
        return str(record)

    def render_result(self, record: AccessChange) -> str:
        if record.decided is None:
            return f"Expired on {day(record.expires)}"
        return f"{record.get_state_display()} by {record.decided_by} on {day(record.decided)}"


class ProposedTable(ListTable):
    """Proposed access changes."""

    change = tables.Column(linkify=("access_change", {"uuid": tables.A("change__uuid")}))
    by = tables.Column(accessor="change__proposed_by")
    at = WhenColumn(accessor="change__expires", verbose_name="Can be confirmed until")
    you = tables.Column()
    caption = "Proposed"


class DoneAloneTable(ProposedTable):
    """Access changes that the first administrator made alone."""

    at = WhenColumn(accessor="change__proposed", verbose_name="Done")
    caption = "Done alone, not confirmed yet"


class ChangeList(ListPage):
    """Open proposals, changes done alone, and decided changes."""

    permission = Action.CONFIRM_ACCESS
    template_name = "people/access_changes.html"
    table_class = ChangeTable

    def get_rows(self) -> QuerySet[AccessChange]:
        return past_changes()

    def get_context(self) -> dict[str, Any]:
        rows: list[dict[str, Any]] = [
            {"change": each, "you": why_not_decide(each, self.person) or YOU_CAN}
            for each in undecided_changes()
        ]
        return super().get_context() | {
            "proposed": ProposedTable([r for r in rows if r["change"].state == State.PROPOSED]),
            "alone": DoneAloneTable([r for r in rows if r["change"].state == State.DONE_ALONE]),
            "mine": sum(row["you"] == YOU_CAN for row in rows),
        }


class ChangePage(Page):
    """One change: what, why, by whom, and the decision if it is open."""

    permission = Action.CONFIRM_ACCESS
    template_name = "people/access_change.html"

    def get_subject(self) -> AccessChange:
        changes = AccessChange.objects.select_related(
            "party", "person", "proposed_by", "decided_by"
        )
        return get_object_or_404(changes, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        change: AccessChange = self.subject
        why_not = why_not_decide(change, self.person)
        is_open = change.decided is None and not has_expired(change)
        return {
            "change": change,
            "expired": has_expired(change),
            "is_open": is_open,
            "why_not": why_not,
            "withdraws": is_open
            and change.state == State.PROPOSED
            and (not why_not or self.person.pk == change.proposed_by_id),
            "deciders": deciders_of(change) if is_open else [],
            "form": self.form(ReasonForm),
            "second_factor": ""
            if is_second_factor_fresh(self.request, self.person)
            else to_second_factor(self.person, self.request.path),
        }


class ConfirmChange(AccessAction):
    """Confirm a change as the second person."""

    permission = Action.CONFIRM_ACCESS
    returns_to = ("access_change", "uuid")
    success_message = "You confirmed this change."

    get_subject = ChangePage.get_subject

    def act(self, data: dict[str, Any]) -> None:
        with explain_failure():
            services.confirm(change=self.subject, by=self.person)


class WithdrawChange(ConfirmChange):
    """Stop a proposal; leaving things as they are takes no second factor."""

    form_class = ReasonForm
    shown_on = ChangePage
    success_message = "This proposal was stopped."

    def needs_second_factor(self) -> bool:
        """Never require it."""
        return False

    def act(self, data: dict[str, Any]) -> None:
        with explain_failure():
            services.withdraw(change=self.subject, by=self.person, **data)


class ReverseChange(ConfirmChange):
    """Undo what was done alone."""

    form_class = ReasonForm
    shown_on = ChangePage
    success_message = "You reversed this change."

    def act(self, data: dict[str, Any]) -> None:
        with explain_failure():
            services.reverse(change=self.subject, by=self.person, **data)


class OwnReset(ActionPage):
    """The proposal to reset one's own second factor, and the form to stop it."""

    template_name = "accounts/own_reset.html"
    form_class = ReasonForm
    success_message = "You stopped the reset. Your second factor stays as it is."
    returns_to = ("own_reset",)

    def get_subject(self) -> AccessChange | None:
        return reset_of(self.person)

    def get_context(self) -> dict[str, Any]:
        change: AccessChange | None = self.subject
        is_open = change is not None and change.state == State.PROPOSED and not has_expired(change)
        return super().get_context() | {"change": change, "is_open": is_open}

    def act(self, data: dict[str, Any]) -> None:
        if self.subject is None:
            msg = "Nobody has proposed to reset your second factor."
            raise RefusedError(msg)
        with explain_failure():
            services.withdraw(change=self.subject, by=self.person, **data)


def access_today(request: HttpRequest, party: Party) -> int | None:
    """Return how many access changes the user may decide on; None if there are none."""
    allowing = ROLES_OF_ACTION[Action.CONFIRM_ACCESS]
    own = [each.party_id for each in asked(request).memberships if each.role in allowing]
    if not own or party.pk != own[0]:  # once, whatever other roles they have
        return None
    return len(changes_to_decide(person_of(request))) or None
