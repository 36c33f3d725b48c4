"""The devices on which a person has signed in: their cookie, and their page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.urls import reverse

from compliance.access.rate_limit import address_of
from compliance.people.sign_in_limits import (
    DEVICE_LASTS,
    clear_device,
    forget_device,
    known_device,
    remember_device,
)
from compliance.ui.filters import day
from compliance.ui.pages import ActionPage, Page
from compliance.ui.tables import ActionColumn, DayColumn, ListTable, RowAction, WhenColumn

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from compliance.access.models import Person
    from compliance.people.models import KnownDevice


NEW_TOKEN = "new_device_token"  # noqa: S105 - the name of an attribute


class KnownDeviceMiddleware:
    """Sets the cookie of a device after a sign-in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond, and set the cookie after a sign-in."""
        response = self.get_response(request)
        if token := getattr(request, NEW_TOKEN, ""):
            response.set_cookie(
                settings.DEVICE_COOKIE_NAME,
                token,
                max_age=DEVICE_LASTS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


def device_token(request: HttpRequest) -> str:
    """Return the token in this browser's device cookie."""
    return str(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""))


def know_device(request: HttpRequest, person: Person) -> None:
    """Remember this browser for a person who fully signed in."""
    token = remember_device(
        person=person,
        token=getattr(request, NEW_TOKEN, "") or device_token(request),
        browser=request.headers.get("User-Agent", "")[:200],
        address=address_of(request),
    )
    setattr(request, NEW_TOKEN, token)
    if device := known_device(person, token):
        clear_device(device)


def forget_button(device: KnownDevice) -> list[RowAction]:
    """Return the button to forget a device."""
    hint, fields = f"last used {day(device.last_used)}", {"device": device.uuid}
    return [
        RowAction(url=reverse("forget_device"), button="Forget device", hint=hint, hidden=fields)
    ]


class DeviceTable(ListTable):
    """The devices on which the user has signed in."""

    browser = tables.TemplateColumn(template_name="accounts/device.html")
    since = DayColumn(verbose_name="First sign-in")
    last_used = WhenColumn(verbose_name="Last sign-in")
    forget = ActionColumn(forget_button)
    caption = "Devices"


class DevicesPage(Page):
    """The devices on which the user has signed in."""

    template_name = "accounts/devices.html"

    def get_context(self) -> dict[str, Any]:
        """Collect the devices, and which of them this is."""
        return {
            "table": DeviceTable(self.person.known_devices.all()),
            "this": known_device(self.person, device_token(self.request)),
        }


class DeviceForm(forms.Form):
    """A device from the list."""

    device = forms.UUIDField(error_messages={"invalid": "Choose a device from the list."})


class ForgetDevice(ActionPage):
    """Forget a device."""

    form_class = DeviceForm
    success_message = "The device was removed from your list."
    returns_to = ("devices",)

    def act(self, data: dict[str, Any]) -> None:
        """Forget it."""
        forget_device(uuid=data["device"], by=self.person)
