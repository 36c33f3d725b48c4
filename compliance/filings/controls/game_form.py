"""The form of one game in a draft: its tables, their limits, and what each of them plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.filings.controls.content import AS_LOGGED, TABLE
from compliance.filings.controls.draft_forms import PartForm
from compliance.ui.forms import DollarsField, NameField
from games.chinese_poker.reasons import BONUSES, NATURALS
from games.rule_set import rule_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.forms import BoundField

    from compliance.filings.controls.choices import ApprovedVersion
    from games.rule_set import RuleSet


CHINESE = "chinese-poker"
MOST_TABLES = 200
BLANK = 1
LONGEST_NAME = 32
MOST_POINTS = 1000
LONGEST_CALLED = 60
GROUPS = (
    (
        "What is played",
        "An approved version of the rules, and one of its pay tables for each wager. A newer "
        "approval changes nothing here until you choose it and this version of the controls is "
        "approved.",
        ("version", "pay_"),
    ),
    (
        "Open questions of the rules",
        "The approval says how each is read. Choose another reading only where it allows one.",
        ("reading_",),
    ),
    (
        "Maximum aggregates, and wagers of a player who banks",
        "Leave empty what your house does not limit.",
        ("per_hand", "aggregate_", "banker_"),
    ),
    (
        "Points",
        "Leave empty what is not played.",
        ("scoring", "bonus_", "natural_", "surrender", "largest_unit"),
    ),
)
"""What appears beside the tables: a heading, its purpose, and the prefix of its fields."""
BONUS_NAMES = tuple(dict.fromkeys(name for _, name in BONUSES))


class GameForm(PartForm):
    """Everything the controls say about one game; a row without a name is not a table."""

    rows = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=MOST_TABLES)
    own = forms.IntegerField(
        widget=forms.HiddenInput, min_value=0, max_value=MOST_TABLES, required=False
    )

    def __init__(
        self,
        part: str,
        data: Any = None,
        *,
        value: Any = None,
        seen: str = "",
        rules: RuleSet,
        approved: Sequence[ApprovedVersion] = (),
    ) -> None:
        self.approved = approved
        self.rules = rules
        self.wagers = list(self.rules.wagers)
        super().__init__(part, data, value=value, seen=seen)
        self._tables = self._number_of(data, "rows", len((value or {}).get("tables", {})) + BLANK)
        self.initial["rows"] = self._tables
        self.kept = value or {}
        for line in range(self._tables):
            self._add_line(line)
        own = list(self.kept.get("by_table", {}))
        self._own = self._number_of(data, "own", len(own) + BLANK)
        self.initial["own"] = self._own
        for line in range(self._own):
            self._add_own(line, own[line] if line < len(own) else "")
        self._add_choices("", self.kept)
        self._add_aggregates(value or {})
        if self.rules.slug == CHINESE:
            self._add_points()

    @staticmethod
    def _number_of(data: Any, name: str, kept: int) -> int:
        """Return how many rows there are: as kept, or as the submitted page had."""
        if data is None:
            return kept
        try:
            return max(0, min(int(data.get(name, "0")), MOST_TABLES))
        except ValueError:
            return 0

    def _add_line(self, line: int) -> None:
        where = f"Table {self.initial.get(f't{line}_name') or f'in line {line + 1}'}"
        self.fields[f"t{line}_name"] = NameField(
            label=f"{where}: name", required=False, max_length=LONGEST_NAME
        )
        self.fields[f"t{line}_called"] = NameField(
            label=f"{where}: name that people use, if it is another one",
            required=False,
            max_length=LONGEST_CALLED,
        )
        for wager in self.wagers:
            for end, word in (("low", "minimum"), ("high", "maximum")):
                label = f"{where}: {word} of {_in_words(wager)} in dollars"
                self.fields[f"t{line}_{wager}_{end}"] = DollarsField(label=label, required=False)
        for name, field in self.fields.items():
            if name.startswith(f"t{line}_"):
                field.widget.attrs["aria-label"] = field.label

    def _add_own(self, line: int, table: str) -> None:
        """Add a row for a table that plays otherwise than the game's other tables."""
        self.fields[f"o{line}_table"] = NameField(
            label="Table", required=False, max_length=LONGEST_NAME
        )
        self._add_choices(f"o{line}_", self.kept.get("by_table", {}).get(table, {}))

    def _add_choices(self, prefix: str, value: dict[str, Any]) -> None:
        """Add what a game, or one of its tables, plays: version, pay tables, interpretations."""
        empty = "As the other tables" if prefix else "Choose one"
        versions = {str(each.number): f"Version {each.number}" for each in self.approved}
        if (kept := value.get("version")) is not None:
            versions.setdefault(str(kept), f"Version {kept} (not approved)")
        if versions:
            self._add_choice(f"{prefix}version", "Rules of play", empty, versions)
        for wager, names in self._pay_tables(value.get("pay_tables", {})).items():
            label = f"Pay table of {_in_words(wager)}"
            self._add_choice(f"{prefix}pay_{wager}", label, empty, {name: name for name in names})
        chosen = value.get("interpretations", {})
        for id_, each in self.rules.interpretations.items():
            if len(each.readings) > 1 or id_ in chosen:
                allowed = self._readings(id_)
                first = f"As approved: {_in_words(allowed[0])}" if allowed else "As approved"
                offered = [*(allowed or each.readings), *filter(None, [chosen.get(id_)])]
                self._add_choice(
                    f"{prefix}reading_{id_}",
                    f"{id_}: {each.asks}",
                    empty if prefix else first,
                    {name: _in_words(name) for name in offered},
                )

    def _add_choice(self, name: str, label: str, empty: str, choices: dict[str, str]) -> None:
        self.fields[name] = forms.ChoiceField(
            label=label, choices=[("", empty), *choices.items()], required=False
        )

    def _pay_tables(self, chosen: dict[str, str]) -> dict[str, list[str]]:
        """Return the names of pay tables, by wager, where there are several to choose from."""
        names: dict[str, dict[str, None]] = {}
        for version in self.approved:
            for wager, approved in version.pay_tables.items():
                names.setdefault(wager, {}).update(dict.fromkeys(approved))
        for wager, name in chosen.items():
            names.setdefault(wager, {}).setdefault(name)
        return {wager: list(each) for wager, each in names.items() if len(each) > 1}

    def _readings(self, id_: str) -> list[str]:
        """Return the readings of a question that approvals allow, the approver's own first."""
        found: dict[str, None] = {}
        for version in self.approved:
            found.update(dict.fromkeys((version.allowed or {}).get(id_, ())))
        return list(found)

    def _add_aggregates(self, value: dict[str, Any]) -> None:
        if isinstance(value.get("max_aggregate"), int):
            self.fields["per_hand"] = DollarsField(
                label="Maximum aggregate of each hand, in dollars", required=False
            )
        for wager in self.wagers:
            if self.rules.wagers[wager].odds_based:
                self.fields[f"aggregate_{wager}"] = DollarsField(
                    label=f"Maximum aggregate of {_in_words(wager)} over all hands of a deal, "
                    "in dollars",
                    required=False,
                )
                self.fields[f"banker_{wager}"] = DollarsField(
                    label=f"Least {_in_words(wager)} of a player who banks, in dollars",
                    required=False,
                )

    def _add_points(self) -> None:
        self.fields["scoring"] = forms.MultipleChoiceField(
            label="Scoring that is played",
            choices=[(each, each) for each in rule_set("chinese-poker").scorings],
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        for kind, names in (("bonus", BONUS_NAMES), ("natural", NATURALS)):
            for name in names:
                self.fields[f"{kind}_{name}"] = _points(f"Points for the {kind} {_in_words(name)}")
        self.fields["surrender"] = _points("Points for surrender")
        self.fields["largest_unit"] = DollarsField(label="Largest unit, in dollars", required=False)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Return the tables as rows: the name field, and two fields for each wager."""
        return [
            {
                "name": self[f"t{line}_name"],
                "called": self[f"t{line}_called"],
                "wagers": [
                    (
                        _in_words(wager),
                        self[f"t{line}_{wager}_low"],
                        self[f"t{line}_{wager}_high"],
                    )
                    for wager in self.wagers
                ],
            }
            for line in range(self._tables)
        ]

    @property
    def own_lines(self) -> list[list[BoundField]]:
        """Return the fields of each table that plays otherwise, and of an empty row."""
        return [
            [self[name] for name in self.fields if name.startswith(f"o{line}_")]
            for line in range(self._own)
        ]

    @property
    def others(self) -> list[tuple[str, str, list[BoundField]]]:
        """Return the fields beside the tables, by heading and purpose."""
        found = []
        for heading, says, begins in GROUPS:
            names = [name for name in self.fields if name.startswith(begins)]
            if names:
                found.append((heading, says, [self[name] for name in names]))
        return found

    @property
    def wager_names(self) -> list[str]:
        """Return the names of the wagers: the columns of the tables."""
        return [_in_words(wager) for wager in self.wagers]

    def one_more_line(self) -> None:
        """Add an empty row, keeping everything that was typed."""
        kept = self.data.copy()  # type: ignore[attr-defined]
        kept["rows"] = str(min(self._tables + 1, MOST_TABLES))
        if self._tables < MOST_TABLES:
            self._add_line(self._tables)
            self._tables += 1
        self.data = kept

    def shows(self, value: Any) -> dict[str, Any]:
        """Return every table as a row, and everything else that was saved."""
        cleaned = value or {}
        shown: dict[str, Any] = {}
        for line, (table, limits) in enumerate(cleaned.get("tables", {}).items()):
            shown[f"t{line}_name"] = table
            shown[f"t{line}_called"] = cleaned.get("names", {}).get(table, "")
            for wager, span in limits.items():
                shown[f"t{line}_{wager}_low"], shown[f"t{line}_{wager}_high"] = span
        shown |= _shown_choice("", cleaned)
        for line, (table, own) in enumerate(cleaned.get("by_table", {}).items()):
            shown |= {f"o{line}_table": table, **_shown_choice(f"o{line}_", own)}
        most = cleaned.get("max_aggregate")
        if isinstance(most, int):
            shown["per_hand"] = most
        for kind, amounts in (("aggregate", most), ("banker", cleaned.get("banker_min"))):
            if isinstance(amounts, dict):
                shown |= {f"{kind}_{wager}": cents for wager, cents in amounts.items()}
        chinese = cleaned.get("chinese") or {}
        for kind, plural in (("bonus", "bonuses"), ("natural", "naturals")):
            shown |= {f"{kind}_{name}": n for name, n in chinese.get(plural, {}).items()}
        alone = ("scoring", "surrender", "largest_unit")
        return shown | {name: chinese[name] for name in alone if name in chinese}

    def clean(self) -> None:
        """Reject duplicate tables, incomplete limits, limits without a table, two aggregates."""
        names: dict[str, int] = {}
        for line in range(self._tables):
            self._check_line(line, names)
        for line in range(self._own):
            self._check_own(line, names)
        if self.cleaned_data.get("per_hand") is not None and self._amounts("aggregate"):
            self.add_error("per_hand", "Give it for each hand or for each wager, not both.")

    def _check_line(self, line: int, names: dict[str, int]) -> None:
        cleaned = self.cleaned_data
        name = cleaned.get(f"t{line}_name", "")
        if name in names:
            msg = f"{name} is already in line {names[name]}."
            self.add_error(f"t{line}_name", msg)
        elif name:
            names[name] = line + 1
            if not TABLE.fullmatch(name):
                self.add_error(f"t{line}_name", AS_LOGGED)
        for wager in self.wagers:
            low, high = (f"t{line}_{wager}_{end}" for end in ("low", "high"))
            given = [cleaned.get(low), cleaned.get(high)]
            if {low, high} & self.errors.keys():
                continue
            if (given[0] is None) != (given[1] is None):
                missing = low if given[0] is None else high
                self.add_error(missing, "Give both, the minimum and the maximum.")
            elif given[0] is not None and given[1] is not None and given[0] > given[1]:
                self.add_error(high, "The maximum is below the minimum.")
            elif given[0] is not None and not name and f"t{line}_name" not in self.errors:
                self.add_error(f"t{line}_name", "Name the table that has these limits.")

    def _check_own(self, line: int, names: dict[str, int]) -> None:
        table = self.cleaned_data.get(f"o{line}_table", "")
        chosen = self._kept_choice(f"o{line}_")
        if table and table not in names:
            self.add_error(f"o{line}_table", f"{table} is none of the tables above.")
        elif chosen and not table:
            self.add_error(f"o{line}_table", "Name the table that plays this.")

    @property
    def value(self) -> Any:
        """Return the game as stored in the controls, without empty values."""
        cleaned = self.cleaned_data
        kept: dict[str, Any] = {"tables": self._kept_tables()}
        most = cleaned.get("per_hand")
        named = {cleaned[f"t{line}_name"]: line for line in range(self._tables)}
        named.pop("", None)
        parts = {
            **self._kept_choice(""),
            "by_table": {
                cleaned[f"o{line}_table"]: own
                for line in range(self._own)
                if cleaned[f"o{line}_table"] and (own := self._kept_choice(f"o{line}_"))
            },
            "names": {
                table: called
                for table, line in named.items()
                if (called := cleaned[f"t{line}_called"])
            },
            "max_aggregate": most if most is not None else self._amounts("aggregate"),
            "banker_min": self._amounts("banker"),
        }
        kept |= {name: each for name, each in parts.items() if each or each == 0}
        return kept | self._kept_points()

    def _kept_choice(self, prefix: str) -> dict[str, Any]:
        """Return what a game, or one of its tables, plays, without empty values."""
        cleaned = self.cleaned_data
        kept: dict[str, Any] = {}
        if version := cleaned.get(f"{prefix}version"):
            kept["version"] = int(version)
        for part, kind in (("pay_tables", "pay_"), ("interpretations", "reading_")):
            begins = f"{prefix}{kind}"
            chosen = {
                name.removeprefix(begins): value
                for name, value in cleaned.items()
                if name.startswith(begins) and value
            }
            if chosen:
                kept[part] = chosen
        return kept

    def _kept_tables(self) -> dict[str, dict[str, list[int]]]:
        cleaned = self.cleaned_data
        tables: dict[str, dict[str, list[int]]] = {}
        for line in range(self._tables):
            if name := cleaned[f"t{line}_name"]:
                spans = {
                    wager: [cleaned[f"t{line}_{wager}_low"], cleaned[f"t{line}_{wager}_high"]]
                    for wager in self.wagers
                }
                tables[name] = {key: span for key, span in spans.items() if span[0] is not None}
        return tables

    def _amounts(self, kind: str) -> dict[str, int]:
        found = {wager: self.cleaned_data.get(f"{kind}_{wager}") for wager in self.wagers}
        return {wager: cents for wager, cents in found.items() if cents is not None}

    def _kept_points(self) -> dict[str, Any]:
        if self.rules.slug != CHINESE:
            return {}
        cleaned = self.cleaned_data
        kept: dict[str, Any] = {"scoring": cleaned["scoring"]} if cleaned["scoring"] else {}
        for kind, plural, names in (
            ("bonus", "bonuses", BONUS_NAMES),
            ("natural", "naturals", NATURALS),
        ):
            points = {name: cleaned[f"{kind}_{name}"] for name in names}
            if given := {name: n for name, n in points.items() if n is not None}:
                kept[plural] = given
        for name in ("surrender", "largest_unit"):
            if cleaned[name] is not None:
                kept[name] = cleaned[name]
        return {"chinese": kept} if kept else {}


def _shown_choice(prefix: str, kept: dict[str, Any]) -> dict[str, Any]:
    shown = {f"{prefix}version": str(kept["version"])} if "version" in kept else {}
    shown |= {f"{prefix}pay_{each}": name for each, name in kept.get("pay_tables", {}).items()}
    readings = kept.get("interpretations", {}).items()
    return shown | {f"{prefix}reading_{id_}": reading for id_, reading in readings}


def _points(label: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MOST_POINTS, required=False)


def _in_words(word: str) -> str:
    return word.replace("_", " ")
