"""Forms of suppliers' records."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import forms

from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.access.scope import without_access_scope
from compliance.filings.documents.reads import documents_of_parties
from compliance.filings.games.models import Game
from compliance.filings.suppliers.models import Equipment, Interest
from compliance.ui.forms import DayField, LongField, NameField

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def _choose(form: forms.Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101
    field.choices = list(choices)


class InterestForm(forms.Form):
    """A substantial interest, from a day on."""

    supplier = forms.ChoiceField()
    holder = NameField(
        max_length=120,
        label="Holder",
        help_text="Name of the person or company. To change an interest, enter the same name.",
    )
    basis = forms.ChoiceField(label="Why it is substantial", choices=Interest.Basis.choices)
    portion = forms.DecimalField(
        label="Share in percent",
        min_value=Decimal(0),
        max_value=Decimal(100),
        decimal_places=2,
        initial=0,
        help_text="Of the shares, units or profits; 0 for an interest without a share.",
    )
    from_date = DayField(label="From")
    document = forms.ChoiceField(
        label="Document that shows it",
        required=False,
        help_text="Ownership papers that you filed under Documents.",
    )

    def __init__(self, parties: Collection[Party], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self.on_file = {str(each.uuid): each for each in documents_of_parties(parties)}
        _choose(self, "supplier", ((each.code, each.name) for each in parties))
        found = ((uuid, str(each)) for uuid, each in self.on_file.items())
        _choose(self, "document", [("", "None"), *found])

    def clean(self) -> dict[str, Any]:
        """Turn percent into hundredths of a percent, and the choice into a document."""
        data = super().clean() or {}
        if "portion" in data:
            data["portion"] = int(data["portion"] * 100)
        return data | {"document": self.on_file.get(data.get("document", ""))}


class EquipmentForm(forms.Form):
    """A model of equipment, and the licenses under which it is made and sold."""

    supplier = forms.ChoiceField()
    kind = forms.ChoiceField(label="What it is", choices=Equipment.Kind.choices)
    game = forms.ChoiceField(required=False, help_text="The game that it is made for, if any.")
    maker = NameField(max_length=120, help_text="The manufacturer, as its license names it.")
    model = NameField(max_length=120)
    license_numbers = LongField(
        label="License and certification numbers",
        rows=3,
        help_text="One per line: the state license, and for tribal operations the state "
        "certification and the tribe’s license.",
    )

    def __init__(self, parties: Collection[Party], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        games = Game.objects.filter(supplier__in=[each.pk for each in parties])
        self.games = {each.slug: each for each in games}
        _choose(self, "supplier", ((each.code, each.name) for each in parties))
        named = ((slug, each.name) for slug, each in self.games.items())
        _choose(self, "game", [("", "Any game"), *named])

    def clean(self) -> dict[str, Any]:
        """Turn choices into rows, and lines into numbers."""
        data = super().clean() or {}
        return data | {
            "game": self.games.get(data.get("game", "")),
            "license_numbers": data.get("license_numbers", "").splitlines(),
        }


class DeliveryForm(forms.Form):
    """Where equipment goes; the names of licensed operators are public."""

    operator = forms.ChoiceField()
    from_date = DayField(label="From")

    def __init__(self, data: Any = None, files: Any = None, **more: Any) -> None:
        super().__init__(data, files, **more)
        with without_access_scope():
            operators = Party.objects.filter(kind__in=OPERATOR_KINDS)
            self.operators = {each.code: each for each in operators.select_related("agency")}
        _choose(self, "operator", ((code, each.name) for code, each in self.operators.items()))

    def clean_operator(self) -> Party:
        """Return the operator."""
        return self.operators[self.cleaned_data["operator"]]
