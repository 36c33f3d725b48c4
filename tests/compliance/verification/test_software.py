"""Code that runs and is not that of its source is named."""

from __future__ import annotations

import importlib.util
import marshal
import os
import sys
from typing import TYPE_CHECKING

import pytest

from compliance.event_log.verifier import Answer
from compliance.verification.software import check_software, digests_of_files, foreign_code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

HONEST = "LIMIT = 300\n\n\ndef pays(odds):\n    return odds * LIMIT\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "pay_table.py"
    file.write_text(HONEST)
    return file


def load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("pay_table", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["pay_table"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _unloaded() -> Iterator[None]:
    yield
    sys.modules.pop("pay_table", None)


def poison(file: Path, text: str) -> None:
    """Put other code into the compiled file, with the time and size of the source."""
    load(file)
    kept = file.parent / "__pycache__" / f"pay_table.{sys.implementation.cache_tag}.pyc"
    header = kept.read_bytes()[:16]
    kept.write_bytes(header + marshal.dumps(compile(text, str(file), "exec")))


@pytest.mark.parametrize("change", [("odds *", "odds +"), ("300", "500")])
def test_poisoned_bytecode_is_named(
    source: Path, change: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    load(source)
    assert foreign_code([source.parent]) == {}
    poison(source, HONEST.replace(*change))
    assert list(foreign_code([source.parent])) == [source]


def test_loaded_function_that_differs_is_named(source: Path) -> None:
    load(source)
    source.write_text(HONEST.replace("odds *", "odds +"))
    os.utime(source, (1, 1))
    assert list(foreign_code([source.parent])) == [source]


def test_changed_rule_file_has_another_digest(tmp_path: Path) -> None:
    rule = tmp_path / "limits.toml"
    rule.write_text("cap = 300\n")
    before = digests_of_files([tmp_path], tmp_path)
    rule.write_text("cap = 500\n")
    assert before.keys() == {"limits.toml"}
    assert digests_of_files([tmp_path], tmp_path) != before


def test_honest_code_of_this_system_is_its_sources() -> None:
    answer = Answer()
    check_software(answer)
    assert answer.problems == []
    assert answer.checked > 600
