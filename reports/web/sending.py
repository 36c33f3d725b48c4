"""What comes to whom: subscriptions, and deliveries with their state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.permissions import COMMISSION_ROLES, ROLES_OF_ACTION, Action
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.keyset import cut
from compliance.web.who_asks import asked
from reports.documents.kinds import document_kinds
from reports.models import Delivery, Subscription, Way
from reports.services import subscriptions as services
from reports.services.deliveries import give_up, send_again
from reports.web.lists import kind_choices, parties_by_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from compliance.models import Party, Person

CHANGES = {
    "pause": (services.pause, "Nothing comes until you resume it."),
    "resume": (services.resume, "It comes again from now on."),
    "end": (services.end, "Nothing more comes."),
}
MYSELF, EVERYBODY = "me", "all"


class SubscribeForm(forms.Form):
    """What is to come, to whom, and how."""

    to = forms.ChoiceField(label="To")
    kind = forms.ChoiceField(
        label="Report",
        required=False,
        help_text="What comes is what is shown to that party, from now on.",
    )
    about = forms.ChoiceField(label="About", required=False)
    way = forms.ChoiceField(
        label="How",
        help_text="A mail holds the file of a letter; of what is confidential only a link.",
    )

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(data)
        held = asked(request).memberships
        reads, sends = (
            {each.party.code: each.party for each in held if each.role in ROLES_OF_ACTION[action]}
            for action in (Action.SEE_REPORTS, Action.SEND_REPORTS)
        )
        self.recipients = {f"{MYSELF}:{code}": party for code, party in reads.items()}
        self.recipients |= {f"{EVERYBODY}:{code}": party for code, party in sends.items()}
        self.parties = parties_by_code()
        ways = [each for each in Way if each != Way.FOLDER or (sends and settings.REPORTS_URL)]
        choices = {
            "to": [(key, _to(key, party)) for key, party in self.recipients.items()],
            "kind": kind_choices(),
            "about": [
                ("", "Any party"),
                *((code, str(each)) for code, each in self.parties.items()),
            ],
            "way": [(each.value, each.label) for each in ways],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = offered


class Deliveries(tables.Table):  # type: ignore[misc]
    """Deliveries, the newest first."""

    report = tables.Column(
        accessor="report__title", linkify=("report", {"uuid": tables.A("report__uuid")})
    )
    to = tables.Column(accessor="person", empty_values=(), verbose_name="To")
    way = tables.Column(accessor="get_way_display", verbose_name="How")
    made = tables.DateTimeColumn(format="N j, Y, g:i A T", verbose_name="Since")
    state = tables.TemplateColumn(template_name="reports/delivery_state.html")
    caption = "Deliveries"

    class Meta:
        orderable = False

    def render_to(self, record: Delivery) -> str:
        """A person, or the folder of a party."""
        return str(record.person or f"Folder of {record.party}")


class StateForm(forms.Form):
    """Which deliveries to show."""

    state = forms.ChoiceField(
        required=False, choices=[("", "Every state"), *Delivery.State.choices]
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def subscriptions(request: HttpRequest) -> HttpResponse:
    """What comes to whoever asks, and to the parties for which they have reports sent."""
    require_sight(request, Action.SEE_REPORTS)
    form = SubscribeForm(request, request.POST if request.method == "POST" else None)
    made = None
    if form.is_bound:
        made = accepted(form, lambda said: _subscribe(request, form, said))
    if made is not None:
        messages.success(request, "It is set. What is shown from now on comes this way.")
        return redirect("subscriptions")
    found = Subscription.objects.filter(_reached(request), ended__isnull=True)
    titles = {name: kind.title for name, kind in document_kinds().items()}
    page = cut(request, found.select_related("party", "person", "about"))
    context = {
        "form": form,
        "cut": page,
        "rows": [
            (each, titles.get(each.kind, "Every kind"), _whom(each, person_of(request)))
            for each in page.rows
        ],
    }
    status = 422 if form.errors else 200
    return render(request, "reports/subscriptions.html", context, status=status)


@login_required
@require_POST
def change(request: HttpRequest, uuid: UUID, name: str) -> HttpResponse:
    """Pause, resume or end a subscription."""
    require_sight(request, Action.SEE_REPORTS)
    found = get_object_or_404(Subscription.objects.select_related("party"), uuid=uuid)
    act, says = CHANGES[name]
    _do(request, lambda: act(subscription=found, by=person_of(request)), says)
    return redirect("subscriptions")


@login_required
@require_safe
def deliveries(request: HttpRequest) -> HttpResponse:
    """What was sent, and what could not be; what only stands in the application is left out."""
    require_sight(request, Action.SEE_REPORTS)
    found = Delivery.objects.filter(_reached(request)).exclude(way=Way.APPLICATION)
    form = StateForm(request.GET)
    if form.is_valid() and form.cleaned_data["state"]:
        found = found.filter(state=form.cleaned_data["state"])
    page = cut(request, found.select_related("report", "party", "person"))
    context = {
        "form": form,
        "cut": page,
        "table": Deliveries(page.rows),
        "inside": allows(request, Action.SEE_FINDINGS),
    }
    return render(request, "reports/deliveries.html", context)


@login_required
@require_POST
def again(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Send once more what failed."""
    found = _delivery(request, uuid)
    _do(request, lambda: send_again(delivery=found, by=person_of(request)), "It is sent again.")
    return redirect("deliveries")


@login_required
@require_POST
def give_up_on(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Leave what failed as it is."""
    found = _delivery(request, uuid)
    _do(request, lambda: give_up(delivery=found, by=person_of(request)), "It stays unsent.")
    return redirect("deliveries")


def _delivery(request: HttpRequest, uuid: UUID) -> Delivery:
    require_sight(request, Action.SEE_REPORTS)
    return get_object_or_404(Delivery.objects.select_related("report", "party"), uuid=uuid)


def _do(request: HttpRequest, act: Callable[[], None], says: str) -> None:
    try:
        act()
    except NotAllowedError as closed:
        raise Http404 from closed
    except RefusedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, says)


def _subscribe(request: HttpRequest, form: SubscribeForm, said: dict[str, Any]) -> Subscription:
    return services.subscribe(
        party=form.recipients[said["to"]],
        everybody=said["to"].startswith(EVERYBODY),
        kind=said["kind"],
        about=form.parties.get(said["about"]),
        way=Way(said["way"]),
        by=person_of(request),
    )


def _reached(request: HttpRequest) -> Q:
    """One's own, and those of parties for which one has reports sent."""
    sends = [
        e for e in asked(request).memberships if e.role in ROLES_OF_ACTION[Action.SEND_REPORTS]
    ]
    if any(each.role in COMMISSION_ROLES for each in sends):
        return Q()
    return Q(person=person_of(request)) | Q(party__in=[each.party_id for each in sends])


def _to(key: str, party: Party) -> str:
    return f"Myself, for {party}" if key.startswith(MYSELF) else f"Everybody of {party}"


def _whom(subscription: Subscription, me: Person) -> str:
    if subscription.person is None:
        readers = f"Everybody of {subscription.party} who sees reports"
        return str(subscription.party) if subscription.way == Way.FOLDER else readers
    whom = "You" if subscription.person == me else subscription.person
    return f"{whom}, for {subscription.party}"
