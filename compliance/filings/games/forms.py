"""Forms to file games and the versions of their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.errors import RefusedError
from compliance.filings.documents.models import Document, DocumentVersion
from compliance.filings.games.definitions import (
    DefinitionRefusedError,
    check_definition,
    definition_text,
)
from compliance.filings.games.models import Game
from compliance.filings.games.writes import PayTables, pay_tables_from_csv, pay_tables_of_rules
from compliance.ui.forms import DayField, LongField, NameField
from games.rule_set import rule_set

if TYPE_CHECKING:
    from compliance.filings.games.models import RuleVersion


COMMISSIONS_OWN = "-"
LARGEST_CSV = 1_000_000
MOST_CENTS = 10**12


class GameForm(forms.Form):
    """A game: its names, its banking, and its supplier."""

    name = NameField(max_length=80)
    slug = forms.SlugField(
        label="Short name",
        max_length=40,
        help_text="The name in round logs and other programs. For example, pyramid-poker.",
    )
    banked_by = forms.ChoiceField(choices=Game.Banking.choices)
    supplier = forms.ChoiceField(label="Supplier")

    def __init__(self, owners: dict[str, str], data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        field = self.fields["supplier"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = list(owners.items())


class RuleVersionForm(forms.Form):
    """A version of a game's rules: its documents, and the pay tables they print."""

    template_name = "games/rule_version_form.html"

    rules = forms.ModelMultipleChoiceField(
        DocumentVersion.objects.none(),
        to_field_name="uuid",
        widget=forms.CheckboxSelectMultiple,
        label="Documents with the rules of play (binding)",
    )
    layouts = forms.ModelMultipleChoiceField(
        DocumentVersion.objects.none(),
        to_field_name="uuid",
        widget=forms.CheckboxSelectMultiple,
        label="Layout drawings",
        required=False,
    )
    as_of = DayField(
        label="Date of the documents",
        help_text="Citations are checked against the law of this date.",
    )
    take_over = forms.BooleanField(
        label="The rules of play print the pay tables of the rule set on file", required=False
    )
    printed = forms.FileField(
        label="Pay tables from a spreadsheet, to fill in the lines below",
        required=False,
        help_text="If you have one: CSV with the columns origin (rules or layout), table, "
        "line, pays (N to 1).",
    )
    written = forms.BooleanField(label="File the definition that is written here", required=False)
    definition = forms.FileField(
        label="Definition (TOML), from a file",
        required=False,
        help_text="The game's clauses, wagers, pay tables, interpretations and examples as data. "
        "Rounds are settled by it. It is checked when you compare or file it.",
    )
    citations = LongField(
        label="Sections that the documents cite for the wager limits",
        required=False,
        rows=2,
        max_length=2_000,
        help_text="One per line. For example, WAC 230-15-140.",
    )
    printed_maximum = forms.DecimalField(
        label="Maximum aggregate that the layout prints, in dollars",
        required=False,
        min_value=0,
        max_value=MOST_CENTS // 100,
        decimal_places=2,
    )
    note = LongField(required=False, rows=2)

    def __init__(
        self,
        game: Game,
        data: Any = None,
        files: Any = None,
        *,
        before: RuleVersion | None = None,
        newest: RuleVersion | None = None,
    ) -> None:
        super().__init__(data, files, initial=_as_before(before) if before else {})
        self.game = game
        self._kept_definition = "" if newest is None else definition_text(newest)
        if not hasattr(game, "definition_draft"):
            del self.fields["written"]
        self.questions = list(rule_set(game.engine).interpretations) if game.engine else []
        owned = DocumentVersion.objects.select_related("document").order_by(
            "document__title", "-number"
        )
        if game.supplier_id is not None:
            owned = owned.filter(document__owner=game.supplier_id)
        kinds = {"rules": Document.Kind.RULES_OF_PLAY, "layouts": Document.Kind.LAYOUT}
        for name, kind in kinds.items():
            field = self.fields[name]
            assert isinstance(field, forms.ModelMultipleChoiceField)  # noqa: S101
            field.queryset = owned.filter(document__kind=kind)
        if not game.engine:
            del self.fields["take_over"]
            return
        for each in rule_set(game.engine).interpretations.values():
            self.fields[each.id] = forms.ChoiceField(
                label=f"{each.id}: {each.asks}",
                choices=[
                    ("", "Not proposed: the approver chooses"),
                    *((key, key.replace("_", " ")) for key in each.readings),
                ],
                required=False,
            )

    @property
    def reads_otherwise(self) -> bool:
        """Return whether an interpretation differs from the default, or is invalid."""
        return any(self[id_].value() for id_ in self.questions)

    def clean_printed(self) -> PayTables:
        """Read the CSV; report each error with its line."""
        sent = self.cleaned_data["printed"]
        if sent is None:
            return {}
        if sent.size > LARGEST_CSV:
            msg = "This is more than the pay tables of a game. Up to 1 MB is taken."
            raise forms.ValidationError(msg)
        try:
            return pay_tables_from_csv(sent.read().decode("utf-8-sig").replace("\0", ""))
        except UnicodeDecodeError as wrong:
            msg = "This is no text in UTF-8. Save the sheet as CSV (UTF-8)."
            raise forms.ValidationError(msg) from wrong
        except RefusedError as refused:
            raise forms.ValidationError(str(refused)) from refused

    def clean_definition(self) -> str:
        """Read the definition; report everything that is wrong with it."""
        sent = self.cleaned_data["definition"]
        if self.cleaned_data.get("written"):
            if sent is not None:
                msg = "File the definition that is written here, or one from a file; not both."
                raise forms.ValidationError(msg)
            return self._checked(self.game.definition_draft.text)
        if sent is None:
            return self._kept_definition
        if sent.size > LARGEST_CSV:
            msg = "This is more than a definition of a game. Up to 1 MB is accepted."
            raise forms.ValidationError(msg)
        try:
            text = str(sent.read().decode("utf-8-sig"))
        except UnicodeDecodeError as wrong:
            msg = "This is not text in UTF-8. Save the definition as UTF-8."
            raise forms.ValidationError(msg) from wrong
        return self._checked(text)

    def _checked(self, text: str) -> str:
        """Return the text of a definition; report everything that is wrong with it."""
        try:
            check_definition(self.game, text)
        except DefinitionRefusedError as refused:
            raise forms.ValidationError([str(each) for each in refused.problems]) from refused
        except RefusedError as refused:
            raise forms.ValidationError(str(refused)) from refused
        return text

    def pay_tables(self, entered: PayTables) -> PayTables:
        """Return the pay tables entered, filled in from the rule set on request, and from the CSV.

        Rejects a line with two different values in the CSV and the page.
        """
        tables: PayTables = {}
        if self.cleaned_data.get("take_over"):
            tables["rules"] = pay_tables_of_rules(self.game.engine)
        for origin, named in entered.items():
            for table, lines in named.items():
                tables.setdefault(origin, {}).setdefault(table, {}).update(lines)
        for origin, named in self.cleaned_data["printed"].items():
            for table, lines in named.items():
                known = entered.get(origin, {}).get(table, {})
                for line, pays in lines.items():
                    if known.get(line, pays) != pays:
                        msg = (
                            f"{table}, {line} of the {origin}: {known[line]} is entered below, "
                            f"the spreadsheet has {pays}. Enter it once."
                        )
                        raise RefusedError(msg)
                    tables.setdefault(origin, {}).setdefault(table, {})[line] = pays
        return tables

    def readings(self) -> dict[str, str]:
        """Return the chosen interpretations, without those left at the default."""
        said = self.cleaned_data
        return {id_: said[id_] for id_ in self.questions if said[id_]}


def _as_before(version: RuleVersion) -> dict[str, Any]:
    """Return initial values for the next version: the previous one, with its newest documents."""
    papers: dict[bool, list[DocumentVersion]] = {True: [], False: []}
    for named in version.documents.select_related("document_version__document"):
        newest = named.document_version.document.versions.order_by("number").last()
        papers[named.binding].append(newest or named.document_version)
    maximum = version.printed_maximum
    return {
        "rules": papers[True],
        "layouts": papers[False],
        "as_of": max(each.evidence_date for each in (*papers[True], *papers[False])),
        "citations": "\n".join(version.citations),
        "printed_maximum": None if maximum is None else f"{maximum / 100:.2f}",
        **version.interpretations,
    }
