"""Webhooks of a party: listed with their deliveries, created, tested, ended."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from compliance.access.permissions import Action
from compliance.notifications.kinds import notice_kinds
from compliance.notifications.models import Webhook, WebhookDelivery
from compliance.notifications.reads import deliveries_of, webhooks_of
from compliance.notifications.webhook_requests import LONGEST
from compliance.notifications.webhooks import (
    end_webhook,
    kinds_for,
    make_webhook,
    resume_webhook,
    send_again,
    send_trial,
)
from compliance.people.second_factor import require_second_factor, second_factor_used
from compliance.ui.forms import NameField, ReasonForm
from compliance.ui.pages import ActionPage, OfParty, Page
from compliance.ui.tables import ActionColumn, ListTable, RowAction, WhenColumn

if TYPE_CHECKING:
    from django.http import HttpResponse

    from compliance.access.models import Party
    from compliance.notifications.kinds import NoticeKind


NEWEST = 50


class WebhookForm(forms.Form):
    """A program's address, and the notifications it receives."""

    url = NameField(
        label="Address",
        max_length=LONGEST,
        help_text="Of your program, on the public internet: https://example.com/hooks.",
    )
    kinds = forms.MultipleChoiceField(
        label="Notifications",
        widget=forms.CheckboxSelectMultiple,
        help_text="Each has a kind, a number and a link. The program reads the rest with a key.",
    )

    def __init__(self, kinds: list[NoticeKind], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(each.name, each.label) for each in kinds]


def labels_of(kinds: list[str]) -> list[str]:
    """Return the labels of these kinds of notifications."""
    return [kind.label for kind in notice_kinds() if kind.name in kinds]


def label_of(kind: str) -> str:
    """Return the label of a kind of notification; a test has none."""
    return next(iter(labels_of([kind])), "A test")


def retry_button(delivery: WebhookDelivery) -> list[RowAction]:
    """Return the button to send a failed delivery again."""
    webhook = delivery.webhook
    if delivery.state != WebhookDelivery.State.FAILED or webhook.stopped or webhook.ended:
        return []
    address = reverse("tell_webhook_again", args=[webhook.party.code, delivery.uuid])
    return [RowAction(url=address, button="Send again", hint=label_of(delivery.kind))]


class DeliveryTable(ListTable):
    """Deliveries, newest first."""

    made = WhenColumn(verbose_name="When")
    kind = tables.Column(verbose_name="Notification")
    webhook = tables.Column(accessor="webhook__url", verbose_name="Address")
    state = tables.TemplateColumn(
        template_name="webhooks/delivery_state.html", verbose_name="Result"
    )
    retry = ActionColumn(retry_button)
    caption = f"The last {NEWEST} deliveries of the past 30 days"

    def render_kind(self, value: str) -> str:
        return label_of(value)


class WebhooksPage(OfParty, Page):
    """A party's webhooks and their deliveries."""

    permission = Action.MANAGE_KEYS
    template_name = "webhooks/webhooks.html"

    def get_context(self) -> dict[str, Any]:
        """Collect the webhooks, each with the form to end it."""
        party: Party = self.subject
        kinds = kinds_for(self.person, party)
        return {
            "party": party,
            "webhooks": [
                (each, labels_of(each.kinds), self.form(ReasonForm, f"end-{each.uuid}"))
                for each in webhooks_of(party)
            ],
            "deliveries": DeliveryTable(deliveries_of(party)[:NEWEST]),
            "form": self.form(partial(WebhookForm, kinds)) if kinds else None,
            "used_second_factor": second_factor_used(self.request, self.person),
        }


class WebhookAction(ActionPage):
    """An action on the page of webhooks."""

    permission = Action.MANAGE_KEYS
    returns_to = ("webhooks", "code")

    def get_subject(self) -> Any:
        webhooks = Webhook.objects.filter(ended=None).select_related("party")
        return get_object_or_404(
            webhooks, party__code=self.kwargs["code"], uuid=self.kwargs["uuid"]
        )


class CreateWebhook(OfParty, WebhookAction):
    """Create a webhook and show its secret once."""

    shown_on = WebhooksPage

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return WebhookForm(kinds_for(self.person, self.subject), data)

    def act(self, data: dict[str, Any]) -> tuple[Webhook, str]:
        require_second_factor(self.request, self.person)
        return make_webhook(party=self.subject, by=self.person, **data)

    def respond(self, result: tuple[Webhook, str]) -> HttpResponse:
        webhook, secret = result
        context = {
            "party": self.subject,
            "webhook": webhook,
            "secret": secret,
            "kinds": labels_of(webhook.kinds),
        }
        return render(self.request, "webhooks/made.html", context)


class EndWebhook(WebhookAction):
    """End a webhook, with the reason."""

    form_class = ReasonForm
    form_name = "end-{uuid}"
    shown_on = WebhooksPage
    success_message = "The {subject} has ended: nothing more is sent to it."

    def act(self, data: dict[str, Any]) -> None:
        end_webhook(webhook=self.subject, by=self.person, **data)

    def get_shown_subject(self) -> Party:
        party: Party = self.subject.party
        return party


class ResumeWebhook(WebhookAction):
    """Resume a stopped webhook."""

    success_message = "The {subject} is active again. Send again below what failed in the meantime."

    def act(self, data: dict[str, Any]) -> None:
        resume_webhook(webhook=self.subject, by=self.person)


class TestWebhook(WebhookAction):
    """Send a test delivery."""

    success_message = "A test is on its way. Its result is listed below in a few seconds."

    def act(self, data: dict[str, Any]) -> WebhookDelivery:
        return send_trial(webhook=self.subject, by=self.person)


class RetryDelivery(WebhookAction):
    """Send a failed delivery again."""

    success_message = "It will be sent again now."

    def get_subject(self) -> WebhookDelivery:
        deliveries = WebhookDelivery.objects.select_related("webhook__party")
        return get_object_or_404(
            deliveries, webhook__party__code=self.kwargs["code"], uuid=self.kwargs["uuid"]
        )

    @property
    def party(self) -> Party:
        party: Party = self.subject.webhook.party
        return party

    def act(self, data: dict[str, Any]) -> None:
        send_again(delivery=self.subject, by=self.person)
