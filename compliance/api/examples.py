"""Examples in the API's description, made from its shapes: none can contradict its shape."""

from __future__ import annotations

from typing import Any, Final

Shape = dict[str, Any]

UUID: Final = "0f0e9c1a-4b6d-4f0e-9d3b-2a7c5e8f1b60"
DIGEST: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
TABLE_TEXT: Final = "table,rounds\nT1,412\n"
FORMATS: Final = {
    "uuid": UUID,
    "date": "2025-07-12",
    "date-time": "2025-07-12T21:14:03-07:00",
    "binary": "the bytes of the file",
}
BY_NAME: Final[dict[str, Any]] = {
    "at": "2025-07-12T21:14:03-07:00",
    "code": "payout.amount",
    "day": "2025-07-12",
    "detail": "T1 is not in the internal controls.",
    "game": "pyramid-poker",
    "kinds": "log_registered",
    "link": f"https://audit.example/findings/{UUID}/",
    "name": "night.jsonl",
    "next": None,
    "operator": "cedar",
    "party": "cedar",
    "reason": "Table 1 was recorded twice.",
    "round": "T1-000412",
    "seen": DIGEST,
    "sha256": DIGEST,
    "table": "T1",
    "url": "https://hooks.example/compliance",
}
FILES: Final = {
    "application/jsonl": '{"line": 412, "reason": "\\"1Oh\\" is not a valid card."}\n',
    "application/octet-stream": FORMATS["binary"],
    "application/pdf": "the bytes of a PDF file",
    "text/csv": TABLE_TEXT,
    "text/plain": "the text of the proof",
}


def add_examples(result: Shape, **_: Any) -> Shape:
    """Give an example to every body, every successful response and every required parameter."""
    shapes = result["components"]["schemas"]
    for operations in result["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                if parameter.get("required") and parameter["in"] != "header":
                    parameter["example"] = example_of(
                        parameter["schema"], shapes, parameter["name"]
                    )
            answers = [each for status, each in operation["responses"].items() if status < "300"]
            for part in (operation.get("requestBody", {}), *answers):
                for media_type, content in part.get("content", {}).items():
                    if "example" not in content and "examples" not in content:
                        content["example"] = FILES.get(media_type) or example_of(
                            content["schema"], shapes
                        )
    return result


def example_of(shape: Shape, shapes: Shape, name: str = "", inside: tuple[str, ...] = ()) -> Any:
    """Return a value of a shape; `inside` names the shapes around it, so that none repeats."""
    if "$ref" in shape:
        target = shape["$ref"].rpartition("/")[2]
        if target in inside:
            return None
        return example_of(shapes[target], shapes, name, (*inside, target))
    for choices in ("oneOf", "anyOf", "allOf"):
        if choices in shape:
            return example_of(shape[choices][0], shapes, name, inside)
    if "const" in shape:
        return shape["const"]
    if "enum" in shape:
        return next(each for each in shape["enum"] if each not in {None, ""})
    kinds = shape.get("type", "object")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if kind == "object":
        return {
            key: example_of(each, shapes, key, inside)
            for key, each in shape.get("properties", {}).items()
        }
    if kind == "array":
        item = example_of(shape.get("items", {}), shapes, name, inside)
        return [] if item is None else [item]
    return _scalar(shape, kind, name)


def _scalar(shape: Shape, kind: str, name: str) -> Any:
    if kind == "integer":
        return int(max(1, shape.get("minimum", 1)))
    if kind != "string":
        return {"boolean": True, "number": 0.5}.get(kind)
    if shape.get("format") in FORMATS:
        return FORMATS[shape["format"]]
    value = BY_NAME.get(name, "text")
    if value is None and "null" not in shape["type"]:
        return "text"
    return value
