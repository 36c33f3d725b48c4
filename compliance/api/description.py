"""The OpenAPI 3.1 description of the API: what all operations have in common."""

from __future__ import annotations

import json
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from compliance.api.once import HEADER, PATTERN

if TYPE_CHECKING:
    from django.http import HttpRequest


class Fault(serializers.Serializer[Any]):
    """One thing that is wrong with a request."""

    code = serializers.CharField()
    pointer = serializers.CharField(help_text="A JSON pointer in the body; else a name.")
    detail = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        """Declare the fields here, because `in` is a Python keyword."""
        return {"in": serializers.ChoiceField(["body", "query", "header", "path"]),
                **super().get_fields()}  # fmt: skip


class ProblemShape(serializers.Serializer[Any]):
    """The shape of every error (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="What kind of error, for programs.")
    detail = serializers.CharField(help_text="What is wrong and what to do, in words.")
    instance = serializers.CharField()
    request_id = serializers.CharField(help_text="To be named when asking about it.")
    errors = Fault(many=True, help_text="Each fault, with its place.")  # type: ignore[assignment]
    log = serializers.UUIDField(required=False, help_text="The log that is on file already.")

    class Meta:
        ref_name = "Problem"


ONE_AT_A_TIME = Lock()
EVERY = {
    400: "The request cannot be read.",
    401: "No valid API key was sent.",
    403: "The key lacks the scope.",
    404: "It does not exist, or you cannot see it.",
    409: "It was understood and refused; `detail` says why.",
    410: "The data was removed when its retention period ended.",
    422: "The request is not valid.",
    429: "Too many requests with this key; `Retry-After` says when to try again.",
    503: "The database does not answer in time (`Retry-After` says when to go on), or a file that "
    "the answer is made from is damaged or gone (ask again when it is mended).",
}
WRITING = {
    413: "The body is too large.",
    415: "The body has an unsupported content type.",
    507: "The disk of the system is full; send it again when there is room.",
}


class Described(AutoSchema):
    """Add the errors to each operation and, if it writes, the idempotency key."""

    def get_operation_id(self) -> str:
        """Return `replays` for `GET replays`, and `replays_post` for `POST replays`."""
        name = getattr(self.view, "operation", type(self.view).__name__)
        return f"{name}_{self.method.lower()}"

    def get_summary(self) -> str:
        """Return the first clause of the description: `Issues, newest first`."""
        first, _, _ = self.get_description().replace("\n", " ").partition(". ")
        return str(first.partition(";")[0].strip().rstrip("."))

    def get_override_parameters(self) -> list[Any]:
        """Add the idempotency key of a POST."""
        if self.method != "POST":
            return []
        return [
            OpenApiParameter(
                HEADER,
                {"type": "string", "pattern": f"^{PATTERN}$"},
                OpenApiParameter.HEADER,
                required=True,
                description="New for each request; the same to send one again.",
            )
        ]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        """Add the errors that any operation can return."""
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status, says in {**EVERY, **(WRITING if self.method != "GET" else {})}.items():
            shape = OpenApiResponse(ProblemShape, description=says)
            bodies.setdefault(
                str(status),
                self._get_response_for_code(  # type: ignore[no-untyped-call]
                    shape, str(status), ["application/problem+json"]
                ),
            )
        return dict(sorted(bodies.items()))


def refuse_what_is_not_described(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe bodies and queries as closed: they take only the names listed."""
    for name, shape in result["components"]["schemas"].items():
        if name.endswith("Request") and shape.get("type") == "object":
            shape["additionalProperties"] = False
    return result


def document() -> dict[str, Any]:
    """Generate the description."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    made: dict[str, Any] = generator.get_schema(  # type: ignore[no-untyped-call]
        request=None, public=True
    )
    return made


@cache
def _as_sent() -> bytes:
    return json.dumps(document(), indent=1).encode()


def openapi(request: HttpRequest) -> HttpResponse:
    """Serve the description; it contains nothing that is not in the public source code."""
    with ONE_AT_A_TIME:  # the generator keeps process-wide state
        content = _as_sent()
    return HttpResponse(content, content_type="application/json")
