"""What every operation has in common: its key, its walls, its allowance of requests."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled
from rest_framework.renderers import JSONRenderer
from rest_framework.views import APIView

from compliance.api.problems import Problem
from compliance.api.reading import AsDescribed, StrictJSON
from compliance.models import ApiKey
from compliance.permissions import key_may
from compliance.selectors.api_keys import comes_from, key_of
from compliance.services.api_keys import take_turn
from compliance.visitors import address_of
from compliance.walls import parties_of_key, within

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from rest_framework.parsers import BaseParser
    from rest_framework.request import Request

    from compliance.models import Party
    from compliance.permissions import Action, KeyScope

SAFE = frozenset({"GET", "HEAD"})
NO_KEY = "Send a key that serves, as `Authorization: Bearer KEY`."


class KeyAuthentication(BaseAuthentication):
    """A program shows its key; nobody's session or cookie opens anything here."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ApiKey] | None:
        """The key that is shown, where one is; raises for one that does not serve."""
        scheme, _, secret = get_authorization_header(request).partition(b" ")
        if not scheme:
            return None
        found = key_of(secret.decode("latin-1")) if scheme.lower() == b"bearer" else None
        if found is None or not comes_from(found, address_of(request._request)):
            raise AuthenticationFailed(NO_KEY)
        return AnonymousUser(), found

    def authenticate_header(self, request: Request) -> str:
        """How to ask for it."""
        return 'Bearer realm="api"'


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description tells of keys."""

    target_class = KeyAuthentication
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """As a bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A key of your party, made on its page of keys.",
        }


class Operation(APIView):
    """Something a program may ask for; `reads` and `writes` are the scopes, one of which it needs.

    Inside of it, what is another party's does not exist.
    """

    authentication_classes = (KeyAuthentication,)
    permission_classes = ()
    renderer_classes = (JSONRenderer,)
    parser_classes: tuple[type[BaseParser], ...] = (StrictJSON,)
    content_negotiation_class = AsDescribed
    http_method_names = ["get", "head", "post", "put"]  # noqa: RUF012 - as Django has it
    reads: ClassVar[frozenset[KeyScope]] = frozenset()
    writes: ClassVar[frozenset[KeyScope]] = frozenset()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, and leave the walls whatever happens."""
        with ExitStack() as self._walls:
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Who asks, whether it may, whether it is its turn; then the walls."""
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
            raise Throttled(wait, "This key has asked more often than it may. Wait, and go on.")
        wanted = self.reads if request.method in SAFE else self.writes or self.reads
        if wanted and wanted.isdisjoint(key.scopes):
            named = ", ".join(sorted(wanted))
            raise Problem(403, f"This key is not good for that. It needs the scope {named}.")
        self._walls.enter_context(within(parties_of_key(key)))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """What was answered is nobody's to keep, and hangs on no header but the key."""
        answered = super().finalize_response(request, response, *args, **kwargs)
        answered.headers.setdefault("Cache-Control", "no-store")
        answered.headers.pop("Vary", None)
        return answered


def key_in(request: Request) -> ApiKey:
    """The key that asks."""
    return cast("ApiKey", request.auth)


def allows(request: Request, action: Action, party: Party | None = None) -> bool:
    """Whether the key that asks allows an action, on a party where one is given."""
    return key_may(key_in(request), action, party)


def require_sight(request: Request, action: Action, party: Party | None = None) -> None:
    """Answer 404 unless the action is allowed: what is not open looks like what is not there."""
    if not allows(request, action, party):
        raise Http404
