"""What all operations have in common: API key, access scope and rate limit."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import Http404
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled
from rest_framework.renderers import JSONRenderer
from rest_framework.views import APIView

from compliance.access.models import ApiKey
from compliance.access.permissions import key_may
from compliance.access.rate_limit import address_of
from compliance.access.reads import comes_from, key_of, take_turn
from compliance.access.scope import parties_of_key, within
from compliance.api.problems import Problem
from compliance.api.reading import AsDescribed, StrictJSON
from compliance.events.exports import record_bulk_read

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from rest_framework.parsers import BaseParser
    from rest_framework.request import Request

    from compliance.access.models import Party
    from compliance.access.permissions import Action, KeyScope


OK = 200
SAFE = frozenset({"GET", "HEAD"})
NO_KEY = "Send a valid key as `Authorization: Bearer KEY`."


class KeyAuthentication(BaseAuthentication):
    """Authentication by API key only; sessions and cookies are ignored."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ApiKey] | None:
        """Return the key from the header, if there is one; raise if it is not valid."""
        scheme, _, secret = get_authorization_header(request).partition(b" ")
        if not scheme:
            return None
        found = key_of(secret.decode("latin-1")) if scheme.lower() == b"bearer" else None
        if found is None or not comes_from(found, address_of(request._request)):
            raise AuthenticationFailed(NO_KEY)
        return AnonymousUser(), found

    def authenticate_header(self, request: Request) -> str:
        """Return the authentication scheme for the `WWW-Authenticate` header."""
        return 'Bearer realm="api"'


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The description of API keys in OpenAPI."""

    target_class = KeyAuthentication
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Describe the key as a bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A key of your party, made on its page of keys.",
        }


class Operation(APIView):
    """An API operation; the key needs one of the scopes in `reads` or `writes`.

    Inside an operation, other parties' data does not exist.
    """

    authentication_classes = (KeyAuthentication,)
    permission_classes = ()
    renderer_classes = (JSONRenderer,)
    parser_classes: tuple[type[BaseParser], ...] = (StrictJSON,)
    content_negotiation_class = AsDescribed
    http_method_names = ["get", "head", "post", "put"]  # noqa: RUF012 - as Django has it
    operation: ClassVar[str]
    reads: ClassVar[frozenset[KeyScope]] = frozenset()
    writes: ClassVar[frozenset[KeyScope]] = frozenset()
    rows_in: ClassVar[str] = "items"
    """The member with the rows of a response: a program's bulk read is recorded as an event."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Respond, and always leave the access scope."""
        with ExitStack() as self._access_scope:
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate, check permission and rate limit, then enter the access scope."""
        super().initial(request, *args, **kwargs)
        key = request.auth
        if not isinstance(key, ApiKey):
            raise NotAuthenticated(NO_KEY)
        wait = take_turn(
            key=key,
            address=address_of(request._request),
            a_minute=settings.API_RATE,
            at_once=settings.API_AT_ONCE,
        )
        if wait:
            raise Throttled(wait, "Too many requests with this key. Wait, then continue.")
        wanted = self.reads if request.method in SAFE else self.writes or self.reads
        if wanted and wanted.isdisjoint(key.scopes):
            named = ", ".join(sorted(wanted))
            raise Problem(403, f"This key does not allow that. It needs the scope {named}.")
        self._access_scope.enter_context(within(parties_of_key(key)))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Forbid caching and remove `Vary`: a response depends on no header but the key."""
        try:
            self._record_rows(request, response)
        except DatabaseError as failed:  # no response without its event
            response = self.handle_exception(failed)
        answered = super().finalize_response(request, response, *args, **kwargs)
        answered.headers.setdefault("Cache-Control", "no-store")
        answered.headers.pop("Vary", None)
        return answered

    def _record_rows(self, request: Request, response: Any) -> None:
        answer = getattr(response, "data", None)
        if request.method != "GET" or response.status_code != OK or not isinstance(answer, dict):
            return
        if rows := answer.get(self.rows_in):
            record_bulk_read(
                by=key_in(request),
                what=self.operation,
                filters=request.query_params.dict(),
                count=len(rows),
            )


def key_in(request: Request) -> ApiKey:
    """Return the API key of the request."""
    return cast("ApiKey", request.auth)


def allows(request: Request, action: Action, party: Party | None = None) -> bool:
    """Return whether the request's key allows an action, on a party if one is given."""
    return key_may(key_in(request), action, party)


def require_sight(request: Request, action: Action, party: Party | None = None) -> None:
    """Respond with 404 unless the action is allowed: hidden objects look like missing ones."""
    if not allows(request, action, party):
        raise Http404
