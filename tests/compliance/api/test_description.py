"""The API's description: what a generated client and its author need of each operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator, FormatChecker

from compliance.api.description import document
from compliance.api.examples import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator


def bodies_of(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the media types of an operation's body and of its successful responses."""
    answers = [each for status, each in operation["responses"].items() if status < "300"]
    for part in (operation.get("requestBody", {}), *answers):
        yield from part.get("content", {}).items()


def test_operations_have_a_summary_and_valid_examples() -> None:
    described = document()
    summaries: dict[str, str] = {}
    for operations in described["paths"].values():
        for operation in operations.values():
            name = operation["operationId"]
            summaries[name] = operation["summary"]
            examples = 0
            for media_type, content in bodies_of(operation):
                given = content.get("examples", {}).values()
                values = [content["example"]] if "example" in content else [
                    each["value"] for each in given
                ]  # fmt: skip
                assert values, (name, media_type)
                examples += len(values)
                if media_type in FILES:
                    continue
                whole = {**content["schema"], "components": described["components"]}
                checked = Draft202012Validator(whole, format_checker=FormatChecker())
                for value in values:
                    faults = [each.message for each in checked.iter_errors(value)]
                    assert not faults, (name, media_type, faults, value)
            assert examples, name
    short = {name for name, text in summaries.items() if not 5 <= len(text) <= 120}
    assert not short, {name: summaries[name] for name in short}
