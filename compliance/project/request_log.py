"""The line that each request leaves in the log, with an address nobody can choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django_structlog.middlewares import RequestMiddleware

from compliance.visitors import address_of

if TYPE_CHECKING:
    from django.http import HttpRequest


class RequestLogMiddleware(RequestMiddleware):
    """Believes the proxy in front about the visitor's address, and no header of the visitor's."""

    @staticmethod
    def bind_ip(request: HttpRequest) -> None:
        """Bind the address that limits and events go by too."""
        structlog.contextvars.bind_contextvars(ip=address_of(request))
