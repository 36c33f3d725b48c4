"""What the forms of a page do, when whoever sent one was signed out meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

View = Callable[Concatenate[HttpRequest, UUID, ...], HttpResponse]


def from_page(page: str) -> Callable[[View], View]:
    """What a form of the page of this name does.

    Whoever was signed out meanwhile signs in again and is led to the form's address without what it
    held: they go on at the page, where the browser kept what was typed.
    """

    def of(view: View) -> View:
        @login_required
        @wraps(view)
        def answered(request: HttpRequest, uuid: UUID, **more: Any) -> HttpResponse:
            if request.method != "POST":
                return redirect(page, uuid=uuid)
            return view(request, uuid, **more)

        return answered

    return of
