"""A webhook leads to the public internet and nowhere else, however its address is written."""

from __future__ import annotations

import socket
import time

import pytest

from compliance.errors import RefusedError
from compliance.notifications import webhook_requests as posting
from compliance.notifications.webhook_requests import (
    UnreachableError,
    is_open,
    open_addresses,
    post,
    read_address,
)
from tests.compliance.webhooks.receiver import NAME

INSIDE = [
    "0.0.0.0",  # noqa: S104
    "10.0.0.1",
    "100.64.0.1",  # carrier-grade NAT
    "100.100.100.200",  # a cloud's metadata
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",  # a cloud's own channel
    "169.254.169.254",  # the clouds' metadata
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",  # a cloud's metadata
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:8.8.8.8",
    "64:ff9b::7f00:1",  # NAT64
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",  # Teredo
    "2001:db8::1",
    "2002:7f00:1::",  # 6to4 of 127.0.0.1
    "2002:808:808::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",  # a cloud's metadata
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
    "",
    "localhost",
]


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_not_public_is_not_gone_to(address):
    assert not is_open(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "192.0.1.1", "2606:4700::1111"])
def test_what_is_public_is(address):
    assert is_open(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "//example.com/",
        "example.com",
        "https://",
        "https:///hooks",
        "https://user@example.com/",
        "https://user:password@example.com/",
        "https://example.com@127.0.0.1/",
        "https://example.com\\@127.0.0.1/",
        "https://example.com/#127.0.0.1",
        "https://example.com:22/",
        "https://example.com:80/",
        "https://example.com:6379/",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://example.com:/",
        "https://example.com:٤٤٣/",
        "https://exämple.com/",
        "https://example。com/",
        "https://exa mple.com/",
        "https://example.com/ HTTP/1.1",
        "https://example.com/\r\nHost: inside",
        "https://example.com/\x00",
        "https://example.com?x=1",
        " https://example.com/",
        "https://example.com/" + "x" * 500,
        "https://127.0.0.1/",
        "https://127.1/",
        "https://0/",
        "https://0x7f.0.0.1/",
        "https://0177.0.0.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://017700000001:8443/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://[fe80::1]/",
        "https://[64:ff9b::a9fe:a9fe]/",
    ],
)
def test_invalid_or_internal_url_is_refused(url):
    with pytest.raises(RefusedError):
        read_address(url)


def test_an_address_is_read_as_it_is_written():
    read = read_address("https://Hooks.example.com:8443/a/b?c=d&e=%20'\"")
    assert (read.host, read.port, read.target) == (
        "Hooks.example.com",
        8443,
        "/a/b?c=d&e=%20'\"",
    )
    assert read_address("https://example.com").target == "/"
    assert read_address("https://[2606:4700::1111]/").host == "2606:4700::1111"


@pytest.mark.parametrize("name", ["localhost", "no-such-name.invalid", "x" * 64 + ".example"])
def test_internal_host_looks_like_unknown_host(name):
    with pytest.raises(UnreachableError) as result:
        open_addresses(read_address(f"https://{name}/"))
    assert str(result.value) == "The name does not lead to a public address."


def names(monkeypatch, *answers):
    """Answer each lookup of a name with the next of these lists of addresses."""
    asked, resolve = [], socket.getaddrinfo

    def answered(host, port, *where, **more):
        if host != NAME:
            return resolve(host, port, *where, **more)
        if more.get("flags"):
            raise socket.gaierror
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr("compliance.notifications.webhook_requests.socket.getaddrinfo", answered)
    return asked


def test_one_private_address_closes_a_public_name(monkeypatch):
    names(monkeypatch, ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(UnreachableError):
        open_addresses(read_address(f"https://{NAME}/"))


def test_connection_uses_the_checked_address(receiver, monkeypatch):
    asked = names(monkeypatch, [receiver.address], ["127.0.0.1"])  # rebound after the first lookup
    answer = post(f"https://{NAME}:8443/", b"{}", {})
    assert (answer.status, answer.begins) == (200, "thank you")
    assert asked == [NAME]
    assert receiver.received[0][0]["Host"] == f"{NAME}:8443"
    with pytest.raises(UnreachableError):
        post(f"https://{NAME}:8443/", b"{}", {})
    assert len(receiver.received) == 1


def test_certificate_of_another_name_is_not_trusted(receiver, monkeypatch):
    names(monkeypatch, [receiver.address])
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    with pytest.raises(OSError, match="certificate verify failed"):
        post(f"https://{NAME}:8443/", b"{}", {})
    assert receiver.received == []


def test_no_answer_leads_elsewhere(receiver):
    receiver.status, receiver.headers = 307, {"Location": receiver.url}
    assert post(receiver.url, b"{}", {}).status == 307
    assert len(receiver.received) == 1


def test_only_start_of_long_answer_is_kept(receiver):
    receiver.body = b"\x00\x1b[31m" + b"a" * 5_000_000
    assert post(receiver.url, b"{}", {}).begins == "[31m" + "a" * (1024 - 6)


def trickle(handler):
    while True:
        handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.01)


def test_an_answer_that_never_ends_is_cut_off(receiver, monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.5)
    receiver.act = trickle
    began = time.monotonic()
    with pytest.raises(OSError):  # noqa: PT011 - as the system names a connection that was ended
        post(receiver.url, b"{}", {})
    assert time.monotonic() - began < 5
