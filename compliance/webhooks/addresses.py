"""Where a webhook may lead: to machines of the public internet, never into a network of ours.

An address is written by a party and followed by our machine, which stands inside. So the text is
read strictly, the name is resolved once, every address that it has must be public, and the
connection goes to one of those that were looked at: nobody asks for the name a second time.
"""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address, ip_network

from django.conf import settings

from compliance.services.refused import RefusedError

LONGEST = 500
PORTS = (443, 8443)
URL = re.compile(
    r"https://(?P<host>[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<target>/[!\"$-~]*)?"  # no fragment, nothing unseen
)
NOWHERE = "The name does not lead to a public address."
"""The same for a name that is not known and for one of an inner network: it tells nothing of it."""

# Beside what `is_global` leaves out. In IPv6 nothing outside of 2000::/3 is public.
PUBLIC_IPV6 = ip_network("2000::/3")
NOT_PUBLIC = tuple(
    ip_network(each)
    for each in (
        "192.0.0.0/24",  # protocol assignments; a cloud's metadata lives here
        "192.88.99.0/24",  # 6to4 relays
        "168.63.129.16/32",  # what a cloud tells its own machines
        "224.0.0.0/4",  # multicast
        "2001::/23",  # Teredo, ORCHID: other addresses inside
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)


class UnreachableError(Exception):
    """A name that leads nowhere, or to where we do not go."""


@dataclass(frozen=True)
class Address:
    """An address that a webhook may have, as it was written, in parts."""

    host: str
    port: int
    target: str


def read_address(url: str) -> Address:
    """Read what a party wrote; refuses what is not https, or names an inner address outright."""
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
            msg = f"{address.host} is no public address: we lead no program into a network inside."
            raise RefusedError(msg)
    return address


def open_addresses(address: Address) -> list[str]:
    """The addresses that a name has now; raises `UnreachableError` unless we go to every one."""
    try:
        found = _resolved(address.host, address.port)
    except (OSError, UnicodeError):
        raise UnreachableError(NOWHERE) from None
    if not found or not all(is_open(each) for each in found):
        raise UnreachableError(NOWHERE)
    return found


def is_open(address: str) -> bool:
    """Whether a webhook may lead to an address: public, or in a network that was opened for it."""
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
    """The address of a host that is one: also of 127.1, 0x7f000001 and 2130706433."""
    try:
        return _resolved(host, None, socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return []


def _resolved(host: str, port: int | None, flags: int = 0) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return list(dict.fromkeys(str(where[0]) for *_, where in found))
