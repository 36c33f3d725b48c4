"""A script that asks for somebody who is signed out is told so, and given no page to sign in on."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.http.response import HttpResponseRedirectBase

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest


class SignedOutMiddleware:
    """Where a person would be led to the sign-in, a part of a page that renews itself gets a 401.

    It would follow, and set the whole sign-in page into the one that somebody is writing on.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        response = self.get_response(request)
        led_away = isinstance(response, HttpResponseRedirectBase)
        if led_away and "HX-Request" in request.headers and not request.user.is_authenticated:
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        return response
