"""Addresses for tests only: the parts that pages are made of, and every way a request can fail."""

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from compliance.project import urls as real

handler400 = real.handler400
handler403 = real.handler403
handler404 = real.handler404
handler500 = real.handler500

ROUNDS = [
    {"round": "PP-1102-0417", "table": "Table 4", "wager": "Three card", "cents": 12_500},
    {"round": "PP-1102-0418", "table": "Table 11", "wager": "Main, low hand", "cents": -2_500},
    {"round": "PP-1102-0512", "table": "Table 4", "wager": "Main, high hand", "cents": 0},
]


class Rounds(tables.Table):  # type: ignore[misc]
    round = tables.Column()
    table = tables.Column()
    wager = tables.Column(orderable=False)
    cents = tables.Column(
        verbose_name="Difference",
        attrs={"td": {"class": "amount"}, "th": {"class": "amount"}},
    )
    caption = "Rounds settled differently"

    def render_cents(self, value: int) -> str:
        return f"{'−' if value < 0 else ''}${abs(value) / 100:,.2f}"


class Complaint(forms.Form):
    table = forms.CharField(help_text="As on the sign at the table, for example “Table 4”.")
    day = forms.DateField(
        label="Gambling day", widget=forms.DateInput(attrs={"type": "date"}), required=False
    )
    game = forms.ChoiceField(choices=[("pp", "Pyramid Poker"), ("ugp", "Ultimate Gold Poker")])
    kind = forms.ChoiceField(
        label="Who reported it",
        choices=[("patron", "A patron"), ("operator", "The operator")],
        widget=forms.RadioSelect,
    )
    what = forms.CharField(label="What happened", widget=forms.Textarea, max_length=20)
    certain = forms.BooleanField(label="I was there myself", required=False)
    evidence = forms.FileField(required=False, help_text="A photograph or a round sheet.")

    def clean(self) -> None:
        if self.errors:
            raise forms.ValidationError("Nothing was kept: correct the form and send it again.")


def table(request: HttpRequest) -> HttpResponse:
    shown = Rounds(ROUNDS, order_by=request.GET.get("sort", "round"))
    return render(request, "gallery/table.html", {"table": shown})


def empty(request: HttpRequest) -> HttpResponse:
    return render(request, "gallery/table.html", {"table": Rounds([])})


def form(request: HttpRequest) -> HttpResponse:
    shown = Complaint(request.POST or None, request.FILES or None)
    if shown.is_valid():
        messages.success(request, "The complaint is on file.")
    return render(request, "gallery/form.html", {"form": shown})


def parts(request: HttpRequest) -> HttpResponse:
    for kind in ("success", "info", "warning", "error"):
        messages.add_message(request, getattr(messages, kind.upper()), f"A message: {kind}.")
    return render(request, "gallery/parts.html")


def fail(request: HttpRequest, how: str) -> HttpResponse:
    raise {
        "400": SuspiciousOperation,
        "403": PermissionDenied,
        "413": RequestDataTooBig,
        "500": RuntimeError,
    }[how]("on purpose")


urlpatterns = [
    *real.urlpatterns,
    path("gallery/table", table),
    path("gallery/empty", empty),
    path("gallery/form", form),
    path("gallery/parts", parts),
    path("gallery/fail/<how>", fail),
]
