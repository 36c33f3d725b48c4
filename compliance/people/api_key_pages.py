"""API keys of a party: listed, created, shown once, revoked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html

from compliance import clock
from compliance.access.models import ApiKey, Party
from compliance.access.permissions import Action, KeyScope
from compliance.access.reads import keys_of
from compliance.people.api_keys import LONGEST, make_key, revoke_key, scopes_open_to
from compliance.people.second_factor import require_second_factor, second_factor_used
from compliance.ui.access import asked
from compliance.ui.filters import when
from compliance.ui.forms import LongField, NameField, ReasonForm
from compliance.ui.pages import ActionPage, OfParty, Page
from compliance.ui.tables import ActionColumn, DayColumn, ListTable, RowAction, WhenColumn

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString


FIRST_DAYS = 90


class KeyForm(forms.Form):
    """A program's name, and its key's scopes, networks and lifetime."""

    name = NameField(
        label="Program", max_length=60, help_text="What it is called here: Night upload."
    )
    scopes = forms.MultipleChoiceField(
        label="Allows",
        widget=forms.CheckboxSelectMultiple,
        help_text="No more than it needs. Give a second program its own key.",
    )
    networks = LongField(
        label="Only from these addresses",
        rows=2,
        required=False,
        max_length=1000,
        help_text="One per line: 203.0.113.7 or 203.0.113.0/24. Leave it empty for any address.",
    )
    days = forms.IntegerField(
        label="Days until it expires",
        min_value=1,
        max_value=LONGEST,
        initial=FIRST_DAYS,
        help_text="One year at most; create the next one before it expires.",
    )

    def __init__(self, scopes: list[KeyScope], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        field = self.fields["scopes"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(each.value, each.label) for each in scopes]


class EndedKeyTable(ListTable):
    """Keys that were revoked or have expired."""

    name = tables.Column(verbose_name="Program")
    ended = tables.Column(empty_values=())
    last_used = WhenColumn(default="never")
    caption = "Revoked and expired keys"

    def render_name(self, record: ApiKey) -> SafeString:
        return format_html("{} <code>{}…</code>", record, record.begins)

    def render_ended(self, record: ApiKey) -> str:
        if record.revoked:
            return f"revoked {when(record.revoked)}"
        return f"expired {when(record.expires)}"


class KeyTable(EndedKeyTable):
    """Keys in use."""

    scopes = tables.Column(accessor="scopes_in_words", verbose_name="Allows")
    networks = tables.Column(verbose_name="From", empty_values=())
    expires = WhenColumn()
    by = tables.Column(verbose_name="Created by")
    made = DayColumn(verbose_name="Created")
    revoke = ActionColumn(lambda key: key.actions)
    caption = "Keys in use"

    class Meta:
        exclude = ("ended",)
        sequence = ("name", "scopes", "networks", "last_used", "...", "revoke")

    def render_scopes(self, value: list[str]) -> str:
        return "; ".join(value)

    def render_networks(self, value: list[str]) -> str:
        return ", ".join(value) or "any address"

    def render_last_used(self, value: Any, record: ApiKey) -> str:
        return f"{when(value)}, from {record.last_address}"


class KeysPage(OfParty, Page):
    """A party's keys: their scopes, last use and expiration."""

    permission = Action.MANAGE_KEYS
    template_name = "keys/keys.html"

    def get_context(self) -> dict[str, Any]:
        """Collect the keys, and the form to create one."""
        party: Party = self.subject
        now = clock.now()
        keys = list(keys_of(party))
        in_use = [each for each in keys if each.revoked is None and each.expires > now]
        for key in in_use:
            key.actions = [  # type: ignore[attr-defined]
                RowAction(
                    url=reverse("revoke_api_key", args=[party.code, key.uuid]),
                    button="Revoke key",
                    hint=key.name,
                    form=self.form(ReasonForm, f"revoke-{key.uuid}"),
                )
            ]
        scopes = scopes_of(self.request, party)
        return {
            "party": party,
            "in_use": KeyTable(in_use, empty_text=NO_KEYS if scopes else "No program has a key."),
            "ended": EndedKeyTable([each for each in keys if each not in in_use]),
            "form": self.form(partial(KeyForm, scopes)) if scopes else None,
            "used_second_factor": second_factor_used(self.request, self.person),
        }


NO_KEYS = (
    "No program has a key. Create one below for each program that submits logs or fetches findings."
)


def scopes_of(request: HttpRequest, party: Party) -> list[KeyScope]:
    """Return the scopes that the user may give to a party's key."""
    own = [each for each in asked(request).memberships if each.party_id == party.pk]
    return scopes_open_to(own)


class CreateKey(OfParty, ActionPage):
    """Create a key and show its secret once."""

    permission = Action.MANAGE_KEYS
    shown_on = KeysPage
    returns_to = ("api_keys", "code")

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return KeyForm(scopes_of(self.request, self.subject), data)

    def act(self, data: dict[str, Any]) -> tuple[ApiKey, str]:
        require_second_factor(self.request, self.person)
        return make_key(
            party=self.subject,
            name=data["name"],
            scopes=[KeyScope(each) for each in data["scopes"]],
            networks=data["networks"].split(),
            days=data["days"],
            by=self.person,
        )

    def respond(self, result: tuple[ApiKey, str]) -> HttpResponse:
        key, secret = result
        context = {"party": self.subject, "key": key, "secret": secret}
        return render(self.request, "keys/made.html", context)


class RevokeKey(ActionPage):
    """Revoke a key, effective immediately."""

    permission = Action.MANAGE_KEYS
    form_class = ReasonForm
    form_name = "revoke-{uuid}"
    shown_on = KeysPage
    returns_to = ("api_keys", "code")
    success_message = "The key {subject} no longer works."

    def get_subject(self) -> ApiKey:
        keys = ApiKey.objects.select_related("party")
        return get_object_or_404(keys, party__code=self.kwargs["code"], uuid=self.kwargs["uuid"])

    def act(self, data: dict[str, Any]) -> None:
        revoke_key(key=self.subject, by=self.person, **data)

    def get_shown_subject(self) -> Party:
        party: Party = self.subject.party
        return party
