"""People of a party and their accounts, and registration of parties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.db.models import Q
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.urls import reverse
from django_filters import CharFilter, ChoiceFilter, FilterSet

from compliance.access.models import Party, Person
from compliance.access.permissions import Action, PartyKind, may
from compliance.access.reads import name_of_asker, people_of
from compliance.access.scope import memberships_of
from compliance.events.models import Event
from compliance.people.access_changes import open_invitations, undecided_changes
from compliance.people.accounts import close_account, reopen_account
from compliance.people.events import PERSON_DEACTIVATED, PERSON_REACTIVATED
from compliance.people.models import Invitation
from compliance.people.writes import register_party, withdraw_invitation
from compliance.ui.access import asked
from compliance.ui.forms import NameField, PartyField, ReasonForm
from compliance.ui.pages import ActionPage, ListPage, OfParty, Page
from compliance.ui.tables import ActionColumn, DayColumn, ListTable, RowAction, WhenColumn

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse


class PartyTable(ListTable):
    """Parties whose people the user may see."""

    name = tables.Column(linkify=("people", {"code": tables.A("code")}))
    kind = tables.Column(accessor="get_kind_display")
    code = tables.Column()
    caption = "Parties"


class PartyList(Page):
    """The parties whose people the user may see."""

    template_name = "people/parties.html"

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the list; with only one party, go to its people."""
        memberships = asked(request).memberships
        self.parties = [
            each for each in Party.objects.all() if may(memberships, Action.SEE_PEOPLE, each)
        ]
        if len(self.parties) == 1 and not self.allows(Action.REGISTER_PARTY):
            return redirect("people", code=self.parties[0].code)
        return self.show()

    def get_context(self) -> dict[str, Any]:
        """Return the parties, and what else the user may do."""
        return {
            "table": PartyTable(self.parties),
            "registers": self.allows(Action.REGISTER_PARTY),
            "closes": self.allows(Action.CLOSE_ACCOUNTS),
        }


class MembershipTable(ListTable):
    """The people of a party and their roles."""

    person = tables.Column(verbose_name="Name")
    email = tables.Column(accessor="person__email", verbose_name="Email address")
    role = tables.Column(accessor="get_role_display")
    since = DayColumn()
    change = tables.TemplateColumn(template_name="people/change_role.html")
    caption = "Roles"

    class Meta:
        empty_text = "Nobody has a role here yet."


def withdraw_button(invitation: Invitation) -> list[RowAction]:
    """Return the button to withdraw an invitation."""
    address = reverse("withdraw_invitation", args=[invitation.party.code, invitation.uuid])
    return [RowAction(url=address, button="Withdraw invitation", hint=invitation.email)]


class InvitationTable(ListTable):
    """Open invitations of a party."""

    email = tables.Column(verbose_name="Email address")
    role = tables.Column(accessor="get_role_display")
    by = tables.Column(default="The command line")
    expires = WhenColumn()
    withdraw = ActionColumn(withdraw_button)
    caption = "Open invitations"


class PeoplePage(OfParty, Page):
    """The current roles and open invitations in a party."""

    permission = Action.SEE_PEOPLE
    template_name = "people/people.html"

    def get_context(self) -> dict[str, Any]:
        party: Party = self.subject
        manages = self.allows(Action.MANAGE_PEOPLE)
        undecided = undecided_changes().filter(party=party)
        return {
            "party": party,
            "people": MembershipTable(people_of(party), exclude=() if manages else ("change",)),
            "invitations": InvitationTable(
                open_invitations(party), exclude=() if manages else ("withdraw",)
            ),
            "manages": manages,
            "changes": undecided.count() if self.allows(Action.CONFIRM_ACCESS) else 0,
            "keys": self.allows(Action.MANAGE_KEYS),
        }


class WithdrawInvitation(ActionPage):
    """Withdraw an open invitation."""

    permission = Action.MANAGE_PEOPLE
    returns_to = ("people", "code")
    success_message = "The invitation of {subject.email} was withdrawn."

    def get_subject(self) -> Invitation:
        invitations = Invitation.objects.select_related("party")
        return get_object_or_404(
            invitations, party__code=self.kwargs["code"], uuid=self.kwargs["uuid"]
        )

    def act(self, data: dict[str, Any]) -> None:
        withdraw_invitation(invitation=self.subject, by=self.person)


class AccountTable(ListTable):
    """People with an account, by name."""

    name = tables.Column(linkify=("account_of", {"uuid": tables.A("uuid")}))
    email = tables.Column(verbose_name="Email address")
    is_active = tables.Column(verbose_name="Account")
    since = DayColumn()
    caption = "Accounts"

    class Meta:
        orderable = True

    def render_is_active(self, value: bool) -> str:  # noqa: FBT001 - as the library calls it
        return "Open" if value else "Closed"


class AccountFilters(FilterSet):  # type: ignore[misc]
    """Filters of accounts, all kept in the address."""

    q = CharFilter(label="Name or email address", max_length=254, method="search")
    state = ChoiceFilter(
        label="Accounts",
        choices=[("open", "Open"), ("closed", "Closed")],
        empty_label="All",
        method="keep",
    )

    def search(self, rows: QuerySet[Person], name: str, value: str) -> QuerySet[Person]:
        """Filter by a part of the name or address."""
        return rows.filter(Q(name__icontains=value) | Q(email__icontains=value))

    def keep(self, rows: QuerySet[Person], name: str, value: str) -> QuerySet[Person]:
        """Filter by state."""
        return rows.filter(is_active=value == "open")


class AccountList(ListPage):
    """Everyone's accounts."""

    permission = Action.CLOSE_ACCOUNTS
    template_name = "people/accounts.html"
    table_class = AccountTable
    filter_class = AccountFilters
    by = None

    def get_rows(self) -> QuerySet[Person]:
        return Person.objects.all()


class AccountPage(Page):
    """An account, and the form to close or reopen it."""

    permission = Action.CLOSE_ACCOUNTS
    template_name = "people/account.html"

    def get_subject(self) -> Person:
        return get_object_or_404(Person, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        person: Person = self.subject
        kinds = (PERSON_DEACTIVATED.name, PERSON_REACTIVATED.name)
        changes = Event.objects.filter(object=person.uuid, type__in=kinds).order_by("-at")
        return {
            "person": person,
            "roles": memberships_of(person),
            "own": person == self.person,
            "changes": [
                {
                    "says": "Closed" if each.type == PERSON_DEACTIVATED.name else "Reopened",
                    "by": name_of_asker(each.actor),
                    "event": each,
                }
                for each in changes
            ],
            "form": self.form(ReasonForm),
        }


class CloseAccount(ActionPage):
    """Close an account, with the reason."""

    permission = Action.CLOSE_ACCOUNTS
    form_class = ReasonForm
    shown_on = AccountPage
    returns_to = ("account_of", "uuid")
    success_message = (
        "{subject.name}’s account is closed. All their sessions and API keys have ended."
    )

    get_subject = AccountPage.get_subject

    def act(self, data: dict[str, Any]) -> None:
        close_account(person=self.subject, by=self.person, **data)


class ReopenAccount(CloseAccount):
    """Reopen an account, with the reason."""

    success_message = "{subject.name}’s account is open again."

    def act(self, data: dict[str, Any]) -> None:
        reopen_account(person=self.subject, by=self.person, **data)


class PartyForm(forms.Form):
    """A party's kind, code and name."""

    kind = forms.TypedChoiceField(choices=PartyKind.choices, coerce=PartyKind)
    name = NameField(
        max_length=120,
        help_text="As on its license or compact; for a unit of the commission, the unit’s name.",
    )
    code = forms.SlugField(
        max_length=32,
        help_text="Short and lower case, as cedar-ridge: it is part of addresses and file names, "
        "and never changes.",
        error_messages={
            "invalid": "Use only letters, digits, hyphens and underscores, as in cedar-ridge."
        },
    )
    agency = PartyField(
        lambda: Party.objects.filter(kind=PartyKind.TRIBAL_AGENCY),
        label="Gaming agency of the tribe",
        required=False,
        empty_label="None",
        help_text="Only for a tribal gaming operation.",
    )

    def clean_code(self) -> str:
        """Return the code in lower case."""
        code: str = self.cleaned_data["code"].lower()
        return code


class RegisterParty(ActionPage):
    """Register a party, and continue to its people."""

    permission = Action.REGISTER_PARTY
    template_name = "people/register.html"
    form_class = PartyForm

    def act(self, data: dict[str, Any]) -> Party:
        return register_party(by=self.person, **data)

    def get_success_message(self, result: Party) -> str:
        if may(asked(self.request).memberships, Action.MANAGE_PEOPLE, result):
            return f"{result} is registered. Invite its first person below."
        return f"{result} is registered. An administrator invites its people."

    def get_success_url(self, result: Party) -> str:
        return resolve_url("people", code=result.code)
