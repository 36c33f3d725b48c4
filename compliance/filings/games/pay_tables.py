"""Pay tables as the documents print them, entered line by line next to the rule set's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms

from compliance.filings.games.models import FiledPayLine
from compliance.filings.games.writes import (
    LONGEST_NAME,
    MOST_TO_ONE,
    PayTables,
    pay_tables_of_rules,
)
from compliance.ui.forms import NameField

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.forms import BoundField

    from compliance.filings.games.models import Game


ORIGINS = {origin.value: origin.label for origin in FiledPayLine.Origin}
SPARE, MOST_SPARE = 4, 100
FURTHER = ("origin", "table", "line", "pays")


@dataclass(frozen=True)
class Line:
    """One line of a table in the rule set: what it pays there, and what the documents print.

    `differs` names the documents that print something else; None if none prints the table.
    """

    name: str
    pays: int
    rules: BoundField
    layout: BoundField
    differs: tuple[str, ...] | None


class PayLines(forms.Form):
    """Every line of the rule set's tables, for each document; plus lines it does not know."""

    spare = forms.IntegerField(
        widget=forms.HiddenInput, required=False, min_value=0, max_value=MOST_SPARE
    )

    def __init__(
        self, game: Game, data: Any = None, *, tables: PayTables | None = None, more: int = 0
    ) -> None:
        self.known: Mapping[str, Mapping[str, int]] = (
            pay_tables_of_rules(game.engine) if game.engine else {}
        )
        self.shown = tables
        super().__init__(data, prefix="pays", initial=self._initial(tables or {}))
        for origin, table, line in self._places():
            self.fields[f"{origin}.{table}.{line}"] = _pays(
                f"{ORIGINS[origin]}, {describe_line(table)}: {describe_line(line)}"
            )
        unknown = sum(1 for _ in self._unknown(tables or {}))
        asked = self._asked(data) if data is not None else unknown + (0 if self.known else SPARE)
        self.rows = min(asked + more, MOST_SPARE)
        self.initial["spare"] = self.rows
        for row in range(self.rows):
            self._further(row)

    def clean(self) -> dict[str, Any]:
        """Require that each extra line is complete and unique."""
        said = super().clean() or {}
        seen: set[tuple[str, str, str]] = set()
        for row in range(self.rows):
            origin, table, line, pays = (said.get(f"{name}.{row}") for name in FURTHER)
            origin = said[f"origin.{row}"] = origin or FiledPayLine.Origin.RULES
            if not (table or line) and pays is None:
                continue
            for name, value in (("table", table), ("line", line), ("pays", pays)):
                if value in (None, "") and f"{name}.{row}" not in self.errors:
                    self.add_error(f"{name}.{row}", "Enter the table, the line, and what it pays.")
            place = (str(origin), str(table), str(line))
            if place in seen or said.get(".".join(place)) is not None:
                self.add_error(f"line.{row}", "This line is already above. Enter it once.")
            seen.add(place)
        return said

    def pay_tables(self) -> PayTables:
        """Return the input by document, table and line."""
        said = self.cleaned_data
        found: PayTables = {}
        for origin, table, line in self._places():
            if (pays := said[f"{origin}.{table}.{line}"]) is not None:
                found.setdefault(origin, {}).setdefault(table, {})[line] = pays
        for row in range(self.rows):
            origin, table, line, pays = (said[f"{name}.{row}"] for name in FURTHER)
            if pays is not None:
                found.setdefault(origin, {}).setdefault(table, {})[line] = pays
        return found

    def tables(self) -> list[tuple[str, str, list[Line]]]:
        """Return the rule set's tables, by name and title, with the fields of each line."""
        return [
            (
                table,
                describe_line(table).capitalize(),
                [
                    Line(
                        name=describe_line(line),
                        pays=pays,
                        rules=self[f"rules.{table}.{line}"],
                        layout=self[f"layout.{table}.{line}"],
                        differs=self._differs(table, line, pays),
                    )
                    for line, pays in lines.items()
                ],
            )
            for table, lines in self.known.items()
        ]

    def further(self) -> list[dict[str, BoundField]]:
        """Return the fields of the lines that are not in the rule set."""
        return [{name: self[f"{name}.{row}"] for name in FURTHER} for row in range(self.rows)]

    def _differs(self, table: str, line: str, pays: int) -> tuple[str, ...] | None:
        if not any(table in named for named in (self.shown or {}).values()):
            return None
        differing = []
        for origin, label in ORIGINS.items():
            printed = (self.shown or {}).get(origin, {}).get(table)
            if printed is not None and printed.get(line) != pays:
                differing.append(label)
        return tuple(differing)

    def _further(self, row: int) -> None:
        label = f"Further line {row + 1}"
        self.fields[f"origin.{row}"] = forms.ChoiceField(
            label=f"{label}: printed in",
            choices=list(ORIGINS.items()),
            required=False,
            widget=forms.Select({"aria-label": f"{label}: printed in"}),
        )
        for name in ("table", "line"):
            self.fields[f"{name}.{row}"] = NameField(
                label=f"{label}: {name}",
                max_length=LONGEST_NAME,
                required=False,
                widget=forms.TextInput({"aria-label": f"{label}: {name}"}),
            )
        self.fields[f"pays.{row}"] = _pays(f"{label}: pays")

    def _initial(self, tables: PayTables) -> dict[str, Any]:
        initial: dict[str, Any] = {
            f"{origin}.{table}.{line}": tables.get(origin, {}).get(table, {}).get(line)
            for origin, table, line in self._places()
        }
        for row, values in enumerate(self._unknown(tables)):
            initial |= {f"{name}.{row}": value for name, value in zip(FURTHER, values, strict=True)}
        return initial

    def _places(self) -> Iterator[tuple[str, str, str]]:
        for table, lines in self.known.items():
            for line in lines:
                for origin in ORIGINS:
                    yield origin, table, line

    def _unknown(self, tables: PayTables) -> Iterator[tuple[str, str, str, int]]:
        for origin, named in tables.items():
            for table, lines in named.items():
                for line, pays in lines.items():
                    if line not in self.known.get(table, {}):
                        yield origin, table, line, pays

    @staticmethod
    def _asked(data: Any) -> int:
        """Return how many extra lines the submitted page had."""
        sent = str(data.get("pays-spare", ""))
        plain = sent.isascii() and sent.isdigit()
        return min(int(sent[:9]), MOST_SPARE) if plain else 0


def _pays(label: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=MOST_TO_ONE,
        widget=forms.NumberInput({"inputmode": "numeric", "aria-label": label}),
    )


def describe_line(name: str) -> str:
    """Format a table or line name for people: `three_card` as "three card"."""
    return name.replace("_", " ")
