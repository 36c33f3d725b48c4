"""Pages of subscriptions and deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.db.models import Q
from django.shortcuts import get_object_or_404, resolve_url
from django_filters import ChoiceFilter, FilterSet

from compliance.access.permissions import COMMISSION_ROLES, ROLES_OF_ACTION, Action
from compliance.jobs.queue import next_try
from compliance.ui.access import asked, require_sight
from compliance.ui.forms import PartyField
from compliance.ui.lists import cut
from compliance.ui.pages import ActionPage, ListPage
from compliance.ui.tables import ListTable, WhenColumn
from reports.schedules import subscriptions
from reports.schedules.deliveries import give_up, send_again, send_failed_again
from reports.schedules.forms import kind_choices
from reports.schedules.models import Delivery, Subscription, Way

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

    from compliance.access.models import Membership, Party, Person


MYSELF, EVERYONE = "me", "all"


class SubscribeForm(forms.Form):
    """What to send, to whom, and how."""

    to = forms.ChoiceField(label="To")
    kind = forms.ChoiceField(
        label="Report",
        required=False,
        help_text="You get the reports shown to that party from now on.",
    )
    about = PartyField(label="About", required=False, empty_label="Any party")
    way = forms.ChoiceField(
        label="How",
        help_text="Emails have letters attached. Of anything confidential they have only a link.",
    )

    def __init__(self, data: Any, memberships: list[Membership]) -> None:
        super().__init__(data)
        reads, sends = (
            {
                each.party.code: each.party
                for each in memberships
                if each.role in ROLES_OF_ACTION[action]
            }
            for action in (Action.SEE_REPORTS, Action.SEND_REPORTS)
        )
        self.recipients = {f"{MYSELF}:{code}": party for code, party in reads.items()}
        self.recipients |= {f"{EVERYONE}:{code}": party for code, party in sends.items()}
        ways = [each for each in Way if each != Way.FOLDER or (sends and settings.REPORTS_URL)]
        choices = {
            "to": [(key, _recipient(key, party)) for key, party in self.recipients.items()],
            "kind": [("", "Every kind"), *kind_choices()],
            "way": [(each.value, each.label) for each in ways],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = offered


def _recipient(key: str, party: Party) -> str:
    return f"Me, for {party}" if key.startswith(MYSELF) else f"Everyone at {party}"


def visible(memberships: list[Membership], person: Person) -> Q:
    """Match a person's own, and what goes to parties for which the person manages delivery."""
    manages = [each for each in memberships if each.role in ROLES_OF_ACTION[Action.SEND_REPORTS]]
    if any(each.role in COMMISSION_ROLES for each in manages):
        return Q()
    return Q(person=person) | Q(party__in=[each.party_id for each in manages])


class SubscriptionPage(ActionPage):
    """The user's subscriptions, those they manage, and a form to subscribe."""

    permission = Action.SEE_REPORTS
    template_name = "reports/subscriptions.html"
    success_message = "You are subscribed. New reports are sent this way from now on."

    def get_form(self, data: Any = None, files: Any = None) -> SubscribeForm:
        self.subscribing = SubscribeForm(data, asked(self.request).memberships)
        return self.subscribing

    def act(self, data: dict[str, Any]) -> Subscription:
        return subscriptions.subscribe(
            party=self.subscribing.recipients[data["to"]],
            everybody=data["to"].startswith(EVERYONE),
            kind=data["kind"],
            about=data["about"],
            way=Way(data["way"]),
            by=self.person,
        )

    def get_page_url(self) -> str:
        return resolve_url("subscriptions")

    def get_context(self) -> dict[str, Any]:
        """Add the subscriptions, each with its title and recipient."""
        mine = visible(asked(self.request).memberships, self.person)
        found = Subscription.objects.filter(mine, ended__isnull=True)
        page = cut(self.request, found.select_related("party", "person", "about"))
        titles = dict(kind_choices())
        return super().get_context() | {
            "cut": page,
            "rows": [
                (each, titles.get(each.kind, "Every kind"), _addressee(each, self.person))
                for each in page.rows
            ],
        }


def _addressee(subscription: Subscription, me: Person) -> str:
    if subscription.person is None:
        readers = f"Everyone at {subscription.party} who sees reports"
        return str(subscription.party) if subscription.way == Way.FOLDER else readers
    person = "You" if subscription.person == me else subscription.person
    return f"{person}, for {subscription.party}"


class ChangeSubscription(ActionPage):
    """Pause, resume or end a subscription; the service checks whose it is."""

    permission = Action.SEE_REPORTS
    change: Callable[..., None]

    def get_subject(self) -> Subscription:
        found = Subscription.objects.select_related("party")
        return get_object_or_404(found, uuid=self.kwargs["uuid"])

    def check_permission(self) -> None:
        """Require the permission on any party: people subscribe to reports about others."""
        require_sight(self.request, Action.SEE_REPORTS)

    def act(self, data: dict[str, Any]) -> None:
        self.change(subscription=self.subject, by=self.person)

    def get_page_url(self) -> str:
        return resolve_url("subscriptions")


class PauseSubscription(ChangeSubscription):
    """Pause a subscription."""

    success_message = "Paused. Nothing is sent until you resume it."
    change = staticmethod(subscriptions.pause)


class ResumeSubscription(ChangeSubscription):
    """Resume a subscription."""

    success_message = "Resumed. New reports are sent from now on."
    change = staticmethod(subscriptions.resume)


class EndSubscription(ChangeSubscription):
    """End a subscription."""

    success_message = "Removed. Nothing more is sent."
    change = staticmethod(subscriptions.end)


class DeliveryTable(ListTable):
    """Deliveries, newest first."""

    report = tables.Column(
        accessor="report__title", linkify=("report", {"uuid": tables.A("report__uuid")})
    )
    to = tables.Column(accessor="person", empty_values=())
    way = tables.Column(accessor="get_way_display", verbose_name="How")
    made = WhenColumn(verbose_name="Since")
    state = tables.TemplateColumn(template_name="reports/delivery_state.html")
    caption = "Deliveries"

    def render_to(self, record: Delivery) -> str:
        """Show the person, or the folder of the party."""
        return str(record.person or f"Folder of {record.party}")


class DeliveryFilters(FilterSet):  # type: ignore[misc]
    """Which deliveries to show."""

    state = ChoiceFilter(choices=Delivery.State.choices, empty_label="Any state")


class DeliveryList(ListPage):
    """What was sent or could not be, without reports that only appear in the application."""

    permission = Action.SEE_REPORTS
    template_name = "reports/deliveries.html"
    table_class = DeliveryTable
    filter_class = DeliveryFilters

    def get_rows(self) -> QuerySet[Delivery]:
        mine = visible(asked(self.request).memberships, self.person)
        found = Delivery.objects.filter(mine).exclude(way=Way.APPLICATION)
        found = found.annotate(due=next_try(*Delivery.JOBS.values()))
        return found.select_related("report", "party", "person")

    def get_context(self) -> dict[str, Any]:
        """Add how many failed, and whether the user may read why."""
        mine = visible(asked(self.request).memberships, self.person)
        return super().get_context() | {
            "inside": self.allows(Action.SEE_FINDINGS),
            "failed": Delivery.objects.filter(mine, state=Delivery.State.FAILED).count(),
        }


class DeliveryAction(ActionPage):
    """A button on the list of deliveries; the service checks whose delivery it is."""

    def get_subject(self) -> Delivery:
        found = Delivery.objects.select_related("report", "party")
        return get_object_or_404(found, uuid=self.kwargs["uuid"])

    def check_permission(self) -> None:
        require_sight(self.request, Action.SEE_REPORTS)

    def get_page_url(self) -> str:
        return resolve_url("deliveries")


class SendAgain(DeliveryAction):
    """Retry a failed delivery."""

    success_message = "The delivery is being sent again."

    def act(self, data: dict[str, Any]) -> None:
        send_again(delivery=self.subject, by=self.person)


class GiveUpDelivery(DeliveryAction):
    """Leave a failed delivery unsent."""

    success_message = "The delivery stays unsent."

    def act(self, data: dict[str, Any]) -> None:
        give_up(delivery=self.subject, by=self.person)


class SendFailedAgain(ActionPage):
    """Send all failed deliveries again."""

    permission = Action.SEE_REPORTS
    success_message = "Failed deliveries being sent again: {result:,}."

    def act(self, data: dict[str, Any]) -> int:
        mine = visible(asked(self.request).memberships, self.person)
        return send_failed_again(among=Delivery.objects.filter(mine), by=self.person)

    def get_page_url(self) -> str:
        return resolve_url("deliveries")
