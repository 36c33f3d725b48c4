"""Email by URL, to a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from aiosmtpd.controller import Controller
from django.core.mail import get_connection, send_mail

from compliance.project.mail import mail_settings
from tests import servers

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings


class Received:
    """What came in."""

    def __init__(self) -> None:
        self.mails: list[Any] = []

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:  # noqa: N802
        self.mails.append(envelope)
        return "250 taken"


def send(settings: Settings, url: str) -> None:
    for name, value in mail_settings(url).items():
        setattr(settings, name, value)
    connection = get_connection(settings.EMAIL_BACKEND)
    send_mail("A report", "It is there.", None, ["agent@example.org"], connection=connection)


def test_a_mail_reaches_the_server_that_the_url_names(settings: Settings) -> None:
    received = Received()
    port = servers.free_port()
    controller = Controller(received, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        send(settings, f"smtp://127.0.0.1:{port}")
    finally:
        controller.stop()
    assert received.mails[0].rcpt_tos == ["agent@example.org"]


def test_a_mail_into_a_folder_is_a_file(settings: Settings, tmp_path: Path) -> None:
    send(settings, f"file://{tmp_path}/mail")
    (kept,) = (tmp_path / "mail").iterdir()
    assert "Subject: A report" in kept.read_text()


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://mail.example.org", 25, False, False),
        ("smtp+tls://a:b@mail.example.org", 587, True, False),
        ("smtp+ssl://a:b@mail.example.org", 465, False, True),
        ("smtp+tls://a:b@mail.example.org:2525", 2525, True, False),
    ],
)
def test_the_scheme_says_how_the_line_is_guarded(url: str, port: int, tls: bool, ssl: bool) -> None:
    made = mail_settings(url)
    assert (made["EMAIL_PORT"], made["EMAIL_USE_TLS"], made["EMAIL_USE_SSL"]) == (port, tls, ssl)


def test_a_password_may_hold_any_character() -> None:
    made = mail_settings("smtp+tls://a%40b:p%2Fw%3A@mail.example.org")
    assert (made["EMAIL_HOST_USER"], made["EMAIL_HOST_PASSWORD"]) == ("a@b", "p/w:")


@pytest.mark.parametrize("url", ["", "gopher://x", "smtp+tls://", "file://"])
def test_what_is_no_way_to_send_mail_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="no way to send mail"):
        mail_settings(url)
