"""Requests to webhooks: signed, to allowed addresses only, without trusting the receiver."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import re
import secrets
import socket
import ssl
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address, ip_network
from threading import Timer
from typing import TYPE_CHECKING

from django.conf import settings

from compliance.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


LONGEST = 500
PORTS = (443, 8443)
URL = re.compile(
    r"https://(?P<host>[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<target>/[!\"$-~]*)?"  # no fragment, no invisible characters
)
NOWHERE = "The name does not lead to a public address."
"""The same for an unknown name and for an internal one, so that it reveals nothing."""

# In addition to what `is_global` excludes. In IPv6 nothing outside of 2000::/3 is public.
PUBLIC_IPV6 = ip_network("2000::/3")
NOT_PUBLIC = tuple(
    ip_network(each)
    for each in (
        "192.0.0.0/24",  # protocol assignments; includes a cloud's metadata service
        "192.88.99.0/24",  # 6to4 relays
        "168.63.129.16/32",  # a cloud's service for its own machines
        "224.0.0.0/4",  # multicast
        "2001::/23",  # Teredo, ORCHID: contain other addresses
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: contains an IPv4 address
        "3fff::/20",  # documentation
    )
)


class UnreachableError(Exception):
    """A name that does not resolve, or resolves to an address that is not allowed."""


@dataclass(frozen=True)
class Address:
    """A webhook address as entered, in parts."""

    host: str
    port: int
    target: str


def read_address(url: str) -> Address:
    """Parse an address; reject one that is not https, or that is an internal address."""
    found = URL.fullmatch(url)
    if found is None or len(url) > LONGEST:
        msg = (
            f"Write an address like https://example.com/hooks, of up to {LONGEST} signs: no name "
            "or password in it, no #, and a name with other letters in its ASCII form (xn--…)."
        )
        raise RefusedError(msg)
    port = int(found["port"] or 443)
    if port not in PORTS:
        msg = f"The port is {' or '.join(str(each) for each in PORTS)}, and none other."
        raise RefusedError(msg)
    address = Address(found["host"].strip("[]"), port, found["target"] or "/")
    for each in _written_as_numbers(address.host):
        if not is_open(each):
            msg = (
                f"{address.host} is not a public address. Webhooks cannot reach internal networks."
            )
            raise RefusedError(msg)
    return address


def open_addresses(address: Address) -> list[str]:
    """Resolve a name; raise `UnreachableError` unless every address is allowed."""
    try:
        found = _resolved(address.host, address.port)
    except (OSError, UnicodeError):
        raise UnreachableError(NOWHERE) from None
    if not found or not all(is_open(each) for each in found):
        raise UnreachableError(NOWHERE)
    return found


def is_open(address: str) -> bool:
    """Return whether a webhook may use an address: public, or in an allowed network."""
    try:
        at = ip_address(address)
    except ValueError:
        return False
    if any(at in ip_network(each) for each in settings.WEBHOOK_NETWORKS):
        return True
    if any(at in each for each in NOT_PUBLIC):
        return False
    return at.is_global and (isinstance(at, IPv4Address) or at in PUBLIC_IPV6)


def _written_as_numbers(host: str) -> list[str]:
    """Return the address of a numeric host, including 127.1, 0x7f000001 and 2130706433."""
    try:
        return _resolved(host, None, socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return []


def _resolved(host: str, port: int | None, flags: int = 0) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return list(dict.fromkeys(str(where[0]) for *_, where in found))


SECONDS_TO_CONNECT = 3.0
SECONDS = 10.0
"""For the whole request and response, however slow."""
ANSWER_KEPT = 1024
TRIED = 3


@dataclass(frozen=True)
class Answer:
    """The receiver's response: its status, and the beginning of its body."""

    status: int
    begins: str


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a request to an address that was checked, over TLS, without following redirects.

    Raises:
        RefusedError: the address is not allowed for a webhook.
        UnreachableError: the name resolves to no allowed address, or nothing listens there.
        OSError, http.client.HTTPException: any other failure.
    """
    address = read_address(url)
    context = ssl.create_default_context()
    with (
        _connected(open_addresses(address), address.port) as plain,
        context.wrap_socket(
            plain, server_hostname=address.host, do_handshake_on_connect=False
        ) as line,
        _cut_after(SECONDS, line),
    ):
        line.do_handshake()
        # With its socket set, it opens no connection and resolves nothing.
        connection = http.client.HTTPSConnection(address.host, address.port, context=context)
        connection.sock = line
        connection.request("POST", address.target, body, dict(headers))
        answered = connection.getresponse()
        begins = answered.read(ANSWER_KEPT).decode(errors="replace")
        seen = "".join(sign for sign in begins if sign.isprintable() or sign in "\n\t")
        return Answer(answered.status, seen)


def _connected(addresses: list[str], port: int) -> socket.socket:
    for each in addresses[:TRIED]:
        try:
            return socket.create_connection((each, port), SECONDS_TO_CONNECT)
        except OSError:
            continue
    msg = "The connection was not accepted."
    raise UnreachableError(msg)


@contextmanager
def _cut_after(seconds: float, line: ssl.SSLSocket) -> Iterator[None]:
    """Close the connection after a total time: timeouts of single reads add up."""
    line.settimeout(seconds)
    cut = Timer(seconds, _cut, [line])
    cut.start()
    try:
        yield
    finally:
        cut.cancel()


def _cut(line: ssl.SSLSocket) -> None:
    try:
        socket.socket.shutdown(line, socket.SHUT_RDWR)
    except OSError:
        return  # already closed


MARK = "whsec_"


def new_secret() -> str:
    """Return 256 random bits, in the format of the receiver's library."""
    return MARK + base64.b64encode(secrets.token_bytes(32)).decode()


def signed_headers(secret: str, *, number: str, at: int, body: bytes) -> dict[str, str]:
    """Return the headers of a delivery: its number, its timestamp, and the signature."""
    key = base64.b64decode(secret.removeprefix(MARK))
    signed = f"{number}.{at}.".encode() + body
    signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": number,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{signature}",
    }
