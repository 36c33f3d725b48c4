"""Webhooks of a party: listed with what they were told, made, tried, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from compliance.models import Webhook, WebhookDelivery
from compliance.selectors.webhooks import deliveries_of, webhooks_of
from compliance.services.webhooks import (
    end_webhook,
    kinds_for,
    make_webhook,
    resume_webhook,
    send_again,
    send_trial,
)
from compliance.telling import notice_kinds
from compliance.web.accounts.second_factor import second_factor_used
from compliance.web.acting import person_of
from compliance.web.fields import NameField
from compliance.web.programs import made_once, party_of, say, say_with_reason
from compliance.webhooks.addresses import LONGEST

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from compliance.models import Party
    from compliance.telling import NoticeKind

SHOWN = 50


class WebhookForm(forms.Form):
    """Where a program listens, and what it is told of."""

    url = NameField(
        label="Address",
        max_length=LONGEST,
        help_text="Of your program, on the public internet: https://example.com/hooks.",
    )
    kinds = forms.MultipleChoiceField(
        label="Told of",
        widget=forms.CheckboxSelectMultiple,
        help_text="It is told the kind, a number and a link. What happened is read with a key.",
    )

    def __init__(self, kinds: list[NoticeKind], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(each.name, each.label) for each in kinds]


@login_required
@require_safe
def webhooks(request: HttpRequest, code: str) -> HttpResponse:
    """Where programs of a party are told of things, and what they were told."""
    return _page(request, party_of(request, code))


@login_required
@require_POST
def make(request: HttpRequest, code: str) -> HttpResponse:
    """Make a webhook and show its secret, this one time."""
    party = party_of(request, code)
    person = person_of(request)
    form = WebhookForm(kinds_for(person, party), request.POST)
    made = made_once(
        request, form, lambda said: make_webhook(party=party, by=person, **said), what="a webhook"
    )
    if made is None:
        return _page(request, party, form, status=422)
    webhook, secret = made
    context = {"party": party, "webhook": webhook, "secret": secret, "told_of": _told_of(webhook)}
    return render(request, "webhooks/made.html", context)


@login_required
@require_POST
def end(request: HttpRequest, code: str, uuid: UUID) -> HttpResponse:
    """Send nothing more to an address."""
    webhook = _webhook(request, code, uuid)
    say_with_reason(
        request,
        lambda reason: end_webhook(webhook=webhook, reason=reason, by=person_of(request)),
        why=f"the {webhook} is ended",
        done=f"The {webhook} was ended: nothing more is sent to it.",
    )
    return redirect("webhooks", code=code)


@login_required
@require_POST
def resume(request: HttpRequest, code: str, uuid: UUID) -> HttpResponse:
    """Begin one again that was stopped."""
    webhook = _webhook(request, code, uuid)
    say(
        request,
        lambda: resume_webhook(webhook=webhook, by=person_of(request)),
        f"The {webhook} serves again. What failed meanwhile is sent again by hand, below.",
    )
    return redirect("webhooks", code=code)


@login_required
@require_POST
def test(request: HttpRequest, code: str, uuid: UUID) -> HttpResponse:
    """Send something that tells of nothing."""
    webhook = _webhook(request, code, uuid)
    say(
        request,
        lambda: send_trial(webhook=webhook, by=person_of(request)),
        "A test is on its way. Look below in a few seconds what became of it.",
    )
    return redirect("webhooks", code=code)


@login_required
@require_POST
def again(request: HttpRequest, code: str, uuid: UUID) -> HttpResponse:
    """Send again what failed."""
    delivery = get_object_or_404(deliveries_of(party_of(request, code)), uuid=uuid)
    say(
        request,
        lambda: send_again(delivery=delivery, by=person_of(request)),
        "It is sent again now.",
    )
    return redirect("webhooks", code=code)


def _webhook(request: HttpRequest, code: str, uuid: UUID) -> Webhook:
    return get_object_or_404(webhooks_of(party_of(request, code)), uuid=uuid)


def _told_of(webhook: Webhook) -> list[str]:
    return [kind.label for kind in notice_kinds() if kind.name in webhook.kinds]


def _page(
    request: HttpRequest, party: Party, form: WebhookForm | None = None, status: int = 200
) -> HttpResponse:
    person = person_of(request)
    kinds = kinds_for(person, party)
    labels = {kind.name: kind.label for kind in notice_kinds()}
    told = list(deliveries_of(party)[:SHOWN])
    context = {
        "party": party,
        "webhooks": [(each, _told_of(each)) for each in webhooks_of(party)],
        "told": [(each, labels.get(each.kind, "A test")) for each in told],
        "shown": SHOWN,
        "failed": WebhookDelivery.State.FAILED,
        "form": (form or WebhookForm(kinds)) if kinds else None,
        "used_second_factor": second_factor_used(request, person),
    }
    return render(request, "webhooks/webhooks.html", context, status=status)
