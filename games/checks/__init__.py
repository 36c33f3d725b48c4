"""Every finding code with its title and severity, and the checks that all games share.

A check is one file in this folder, and is registered by being here. It contains

- `CODE`, `SEVERITY` and `TITLE`,
- `check(round_, terms)`, which yields the findings of a logged round,
- `screen(columns, terms, certain)`, which keeps certain only rounds of columns without such a
  finding, or `screen_before(columns, before, certain)` if that depends on the rounds before; a
  check has neither if no screen of a game passes a round that breaks it,
- `plant(scene)`, which breaks it in a simulated round.

It only sees rounds in the form of the log: what the reader rejects can't be a check
(`games.log.schema`). With a new check, also touch its test at the mirrored path, the second reading
(`tests/games/second_reading`), the round that shows it in `tests/frozen/rounds`, the list in
`tests/games/findings/test_form_or_finding.py`, and run `manage.py write_references`.

Numba and NumPy take long to import, and a single round doesn't need them: loops over columns are
kernels, compiled by the first block.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from games.checks import other_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from games.findings import Finding, Severity
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnsBefore, ColumnTerms, Terms

    Certain = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Check:
    """One check that all games share."""

    code: str
    severity: Severity
    title: str
    says: str
    """What it finds, in a sentence."""
    find: Callable[[Round, Terms], Iterable[Finding]]
    screen: Callable[[Columns, ColumnTerms, Certain], None] | None
    screen_before: Callable[[Columns, ColumnsBefore, Certain], None] | None
    plant: Callable[[Scene], Fault | None]


def _check(name: str) -> Check:
    module: Any = import_module(f"games.checks.{name}")
    return Check(
        module.CODE,
        module.SEVERITY,
        module.TITLE,
        (module.__doc__ or "").partition("\n")[0].removeprefix(f"{module.CODE}: "),
        module.check,
        getattr(module, "screen", None),
        getattr(module, "screen_before", None),
        module.plant,
    )


_HELPERS: Final = {"__init__", "other_codes"}

CHECKS: Final = tuple(
    _check(file.stem)
    for file in sorted(Path(__file__).parent.glob("*.py"))
    if file.stem not in _HELPERS
)

_TITLES: Final[Mapping[str, tuple[Severity, str]]] = {
    **other_codes.TITLES,
    **{check.code: (check.severity, check.title) for check in CHECKS},
}

CODES: Final = frozenset(_TITLES)


def severity(code: str) -> Severity:
    """Return how serious a finding of a code is."""
    return _title(code)[0]


def describe_code(code: str) -> str:
    """Return the title of a code: what is wrong, without a period."""
    return _title(code)[1]


def _title(code: str) -> tuple[Severity, str]:
    """Return a code's severity and title; every result of a filed game has a code of its own."""
    is_result = code not in _TITLES and code.startswith("settlement.")
    return _TITLES["settlement.main" if is_result else code]


REFERENCE_HEAD: Final = """# Findings and checks

Made from `games/checks/` by `manage.py write_references`; a test fails when it is stale.

A finding is one rule broken in one round, day or filing. Each code has a severity and a title; the
checks that all games share are one file each.
"""


def reference() -> str:
    """Return the page of all codes in Markdown."""
    files = {check.code: check for check in CHECKS}
    rows = [
        f"| `{code}` | {severity(code)} | {describe_code(code)} | {_where(files.get(code))} |"
        for code in sorted(CODES)
    ]
    return "\n".join(
        [
            REFERENCE_HEAD,
            "| code | severity | title | check |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def _where(check: Check | None) -> str:
    if check is None:
        return ""
    file = check.code.replace(".", "_")
    return f"[`{file}.py`](../../games/checks/{file}.py): {check.says[0].lower()}{check.says[1:]}"
