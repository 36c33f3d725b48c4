"""Strict parsing of requests: anything not in the API description is rejected, not ignored."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson
from django.core.validators import RegexValidator
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser

from compliance.api.problems import Problem, fault, faults_of, invalid
from compliance.text import SEEN_ALONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import IO

    from rest_framework.renderers import BaseRenderer
    from rest_framework.request import Request


LARGEST_BODY = 1 << 20
UNSEEN = "It contains an invisible character. Remove it."


class StrictJSON(BaseParser):
    """One JSON object in UTF-8, of bounded size and depth."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Parse the body, or report what is wrong with it."""
        content = stream.read(LARGEST_BODY + 1)
        if len(content) > LARGEST_BODY:
            raise Problem(413, f"A body has up to {LARGEST_BODY:,} bytes.")
        if not content:
            return {}
        try:
            read = orjson.loads(content)
            # orjson parses deeper nesting than it writes, and the content of a POST is written
            # again.
            orjson.dumps(read)
            # orjson keeps the last of two equal names; a proxy in front may have read the first.
            twice = _duplicate_names(content)
        except orjson.JSONEncodeError as wrong:
            message = "The body is nested deeper than anything that is described."
            raise ParseError(message) from wrong
        except orjson.JSONDecodeError as wrong:
            message = f"The body is not valid JSON: {wrong}."
            raise ParseError(message) from wrong
        if not isinstance(read, dict):
            raise invalid([fault("body", "", "An object is wanted here.", "not_an_object")])
        if twice:
            says = "It is in one object twice. Send it once."
            raise invalid([fault("body", "", f"{name}: {says}", "repeated") for name in twice])
        return read


def _duplicate_names(content: bytes) -> list[str]:
    """Return the names that occur twice in one object at any depth, in JSON parsed before."""
    twice: list[str] = []

    def note(members: list[tuple[str, Any]]) -> None:
        counted = Counter(name for name, _ in members)
        twice.extend(name for name, count in counted.items() if count > 1)

    json.loads(content, object_pairs_hook=note)
    return twice


class Bytes(BaseParser):
    """A raw body; the operation reads it up to its own limit."""

    media_type = "application/octet-stream"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the stream unchanged."""
        return stream


class AsDescribed(BaseContentNegotiation):
    """Responses in the one format in the description; `Accept` changes nothing."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return the parser for the request's media type; JSON if it names none."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        if not kind:
            return next(iter(parsers))
        return next((each for each in parsers if each.media_type == kind), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the first renderer."""
        first = next(iter(renderers))
        return first, str(first.media_type)


def body_of(request: Request, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """Parse and validate the body."""
    data = request.data
    return _read(shape, data if isinstance(data, dict) else {}, "body")


def query_of(request: Request, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """Parse and validate the query string."""
    twice = [name for name, values in request.query_params.lists() if len(values) > 1]
    if twice:
        raise invalid([fault("query", name, "Send it once.", "repeated") for name in twice])
    return _read(shape, request.query_params.dict(), "query")


def _read(
    shape: type[serializers.Serializer[Any]], data: dict[str, Any], place: str
) -> dict[str, Any]:
    read = shape(data=data)
    faults = [
        fault(
            place, f"{'/' * (place == 'body')}{name}", "There is no field of this name.", "unknown"
        )
        for name in data
        if name not in read.fields
    ]
    if not read.is_valid():
        faults += faults_of(read.errors, place)
    if faults:
        raise invalid(faults)
    values: dict[str, Any] = read.validated_data
    return values


class Nothing(serializers.Serializer[Any]):
    """No more than the address says."""


class TextField(serializers.CharField):
    """Text of visible characters, with normalized line ends."""

    def __init__(self, **more: Any) -> None:
        super().__init__(trim_whitespace=False, **more)
        self.validators.append(RegexValidator(SEEN_ALONE, UNSEEN, code="unseen"))

    def to_internal_value(self, data: Any) -> str:
        """Accept strings only: a number is not a name."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data)).replace("\r\n", "\n").replace("\r", "\n")
