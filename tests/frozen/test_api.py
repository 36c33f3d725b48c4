"""What programs depend on: each operation of the API, and each shape it accepts or returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.generators import SchemaGenerator

from tests.frozen.facts import as_fact, require_unchanged

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = {"description", "summary", "title"}
EXAMPLES = {"example", "examples"}


def without_words(value: Any) -> Any:
    """Return the same without the parts that only people read."""
    if isinstance(value, list):
        return [without_words(each) for each in value]
    if isinstance(value, dict):
        return {
            name: without_words(each)
            for name, each in value.items()
            if name not in EXAMPLES and (name not in WORDS or not isinstance(each, str))
        }
    return value


def facts_of(description: dict[str, Any]) -> Iterator[str]:
    """Yield one line per parameter, request, response and property, so each can be renamed."""
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", []):
                yield as_fact(method, path, parameter["name"], without_words(parameter["schema"]))
            yield as_fact(method, path, "body", without_words(operation.get("requestBody")))
            for status, response in operation["responses"].items():
                yield as_fact(method, path, status, without_words(response))
    for name, schema in description["components"]["schemas"].items():
        properties = schema.pop("properties", {})
        for each, of_what in properties.items():
            required = each in schema.get("required", ())
            yield as_fact(name, each, required, without_words(of_what))
        if not properties:
            yield as_fact(name, without_words(schema))


def test_api_keeps_its_operations_and_shapes() -> None:
    description = SchemaGenerator().get_schema(request=None, public=True)
    require_unchanged({"api": sorted(facts_of(description))}, may_grow=True)
