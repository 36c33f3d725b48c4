"""What apps register when Django starts."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.utils.module_loading import import_string

import audits.hooks
import compliance.hooks
import reports.hooks
from compliance import health, references
from compliance.events import record
from compliance.events.types import event_types
from compliance.notifications.kinds import notifiers_of
from compliance.people import accounts
from compliance.retention import verification

HOOKS = (compliance.hooks, audits.hooks, reports.hooks)


def registered() -> list[object]:
    """Return what must not be registered twice: each entry would act twice."""
    return [
        {kind.name: notifiers_of(kind.name)[:] for kind in event_types()},
        record._followers[:],
        accounts._followers[:],
        verification._named[:],
        list(health._registered),
        list(references.references()),
    ]


def test_registering_twice_is_harmless() -> None:
    before = registered()
    for hooks in HOOKS:
        hooks.register()
    assert registered() == before


@pytest.mark.parametrize("hooks", HOOKS, ids=lambda each: each.__name__)
def test_registered_names_exist(hooks: object) -> None:
    """A name that is imported at first use is misspelled in silence until then."""
    tree = ast.parse(Path(hooks.__file__).read_text())  # type: ignore[attr-defined]
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    dotted = [text for text in texts if re.fullmatch(r"[a-z]+(\.\w+){2,}", str(text))]
    paths = [text for text in dotted if not text.endswith(".json")]  # a generated reference
    assert paths
    for path in paths:
        import_string(path)
