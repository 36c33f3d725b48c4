"""Pages of `docs/reference/` generated from the code: each app registers its own.

`manage.py write_references` regenerates them; a test fails when one is stale.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import apps
from django.conf import settings

from compliance.access.permissions import ROLES_OF_ACTION, SECOND_FACTOR_ROLES, Action, Role
from compliance.catalog import DERIVED, EXCLUDED, find_binding
from compliance.events.types import EventType, event_types

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


_pages: dict[str, Callable[[], str]] = {}


def register(name: str, page: Callable[[], str]) -> None:
    """Register a page of `docs/reference/`; an app does this in its `hooks`."""
    _pages[name] = page


def references() -> dict[Path, str]:
    """Return every page's file and its current text."""
    folder = settings.BASE_DIR / "docs" / "reference"
    return {folder / name: page() for name, page in sorted(_pages.items())}


PERMISSIONS_HEAD = """# Who may do what

Made from the table of permissions by `manage.py write_references`; a test fails when it is
stale.

A role of a commission unit reaches every party but those in which its holder has a role as well:
nobody acts for the commission on their own party. Any other role reaches its own party alone, and
what is shown to that party. What a role may not reach looks like what is not there.
"""


def permission_reference() -> str:
    """Return the page in Markdown."""
    names = "| role | second factor | " + " | ".join(action.label for action in Action) + " |"
    rule = "|---" * (len(Action) + 2) + "|"
    rows = [
        f"| {role.label} | {'always' if role in SECOND_FACTOR_ROLES else 'by choice'} | "
        + " | ".join("yes" if role in ROLES_OF_ACTION[action] else "" for action in Action)
        + " |"
        for role in Role
    ]
    return "\n".join([PERMISSIONS_HEAD, names, rule, *rows, ""])


TABLES_HEAD = """# Tables and the event log

Generated from the catalog of tables by `manage.py write_references`; a test fails when it is stale.

*History* tables refuse every change. Of a *bound* table, each event keeps the digests of the rows
that changed with it; of a *sealed* table, once they are final. *Derived* rows can be made again
from files and history. The rest is excluded, with the reason.
"""


def table_reference() -> str:
    """Return the page in Markdown."""
    lines = [TABLES_HEAD, "| table | class | details |", "|---|---|---|"]
    for model in sorted(apps.get_models(include_auto_created=True), key=lambda m: m._meta.label):
        label = model._meta.label
        if binding := find_binding(model):
            left_out = [f"`{name}` ({why})" for name, why in sorted(binding.left_out.items())]
            meanwhile = binding.under_way
            if meanwhile:
                states, fields = (", ".join(sorted(each)) for each in meanwhile)
                left_out.append(f"while {states}: {fields}")
            kind = "sealed" if binding.is_sealed else "bound"
            row = kind, f"Not in the digest: {'; '.join(left_out)}." if left_out else ""
        elif label in DERIVED:
            row = "derived", DERIVED[label]
        elif label in EXCLUDED:
            row = "excluded", EXCLUDED[label]
        else:
            row = "history", ""
        lines.append(f"| {label} | {row[0]} | {row[1]} |")
    return "\n".join([*lines, ""])


EVENTS_HEAD = """# Events

Made from the registered event types by `manage.py write_references`; a test fails when it is
stale.

Every change of state, sign-in, export and report is one event: who (`actor`), what (`object`),
whose (`party`), why (`reason`), when, and the digests of the state before and after. What follows
is what each type adds. *Personal* entries stand apart from the event, which keeps their salted
digest, so that they can be removed one day without breaking a proof; the actor's name always is
one.
"""


def event_reference() -> str:
    """Return the page in Markdown."""
    return "\n".join([EVENTS_HEAD, *(_entry(kind) for kind in event_types())])


def _entry(kind: EventType) -> str:
    lines = [f"## `{kind.name}`", "", f"> {kind.says}.", ""]
    if kind.needs_reason:
        lines += ["A reason is required.", ""]
    if kind.open_to_party:
        lines += ["The party concerned may read it.", ""]
    if kind.signed:
        lines += ["People confirm it with their passkey, if they have one.", ""]
    lines += [f"- `{name}`: {says}" for name, says in kind.carries.items()]
    lines += [f"- `{name}` (personal): {says}" for name, says in kind.personal.items()]
    return "\n".join([*lines, ""] if kind.carries or kind.personal else lines)
