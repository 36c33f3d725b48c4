"""Forms of the pages on which a definition is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.ui.forms import LongField, NameField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.filings.documents.models import DocumentFile

NEW = "new"


class StartForm(forms.Form):
    """What a draft starts from."""

    start = forms.ChoiceField(label="Start from")

    def __init__(self, beginnings: Sequence[tuple[str, str]], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["start"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [("", "Choose what comes close"), *beginnings]


class FileForm(forms.Form):
    """The document and the page to select words in."""

    file = forms.ChoiceField(label="Document")
    page = forms.ChoiceField(label="Page")
    clause = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(
        self, files: Sequence[DocumentFile], chosen: DocumentFile, page: int, clause: str
    ) -> None:
        super().__init__(initial={"file": chosen.pk, "page": page, "clause": clause})
        choices: dict[str, list[tuple[int, str]]] = {
            "file": [(each.pk, f"{each.version}: {each}") for each in files],
            "page": [(number, str(number)) for number in range(1, len(chosen.text.pages) + 1)],
        }
        for name, options in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = options


class WordsForm(forms.Form):
    """The selected words, and the clause of which they are the source."""

    words = LongField(
        label="Selected words",
        rows=3,
        max_length=20_000,
        help_text="What you select in the text is copied here. You can also paste the words.",
    )
    first = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
    clause = forms.ChoiceField(label="Clause")
    id = NameField(
        label="Number of the new clause", required=False, max_length=24, help_text="Such as TC-5."
    )
    says = LongField(
        label="Short form of the new clause",
        required=False,
        rows=2,
        max_length=2_000,
        help_text="In your words. If you leave it empty, the selected words are used.",
    )

    def __init__(
        self, clauses: Sequence[tuple[str, str]], data: Any = None, initial: Any = None
    ) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["clause"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [*clauses, (NEW, "A new clause")]

    def clean(self) -> dict[str, Any]:
        """Require the number of a new clause."""
        data = super().clean() or {}
        if data.get("clause") == NEW and not data.get("id"):
            self.add_error("id", "Enter the number of the new clause, such as TC-5.")
        return data


class ReadTableForm(forms.Form):
    """Which wager's pay table the selected words print."""

    wager = forms.ChoiceField(label="Pay table of")
    name = forms.RegexField(
        "[a-z0-9][a-z0-9_]{0,31}",
        label="Name of the pay table",
        initial="standard",
        help_text="Lowercase letters, digits and _. A wager can have several pay tables.",
    )

    def __init__(self, wagers: Sequence[str], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        field = self.fields["wager"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(each, each.replace("_", " ")) for each in wagers]


class PlaceForm(forms.Form):
    """Where an item stands among its part's items, and its names."""

    def __init__(self, names: Sequence[str], initial: dict[str, Any], data: Any = None) -> None:
        super().__init__(data, initial=initial)
        for number, label in enumerate(names):
            self.fields[f"name_{number}"] = NameField(label=label, max_length=64)
        if "position" in initial:
            self.fields["position"] = forms.IntegerField(
                label="Place in the order", min_value=1, max_value=500
            )

    def names(self) -> tuple[str, ...]:
        """Return the names as typed."""
        typed = (value for name, value in self.cleaned_data.items() if name.startswith("name_"))
        return tuple(str(each).strip() for each in typed)


class TextForm(forms.Form):
    """A whole definition as text."""

    text = LongField(label="Definition (TOML)", rows=30, max_length=256 * 1024)
