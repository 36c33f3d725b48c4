"""Visitors over real HTTP: people who sign in and read pages, programs that submit and order.

Each request has its own connection, as from a proxy; each visitor comes from an address of its own,
which the proxy adds. Unexpected responses are kept and counted.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import struct
import threading
import time
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlencode
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

SIGN_IN: Final = "/account/sign-in/"
SECOND_FACTOR: Final = "/account/second-factor/authenticate/"
PATIENCE: Final = 60
"""Seconds until a visitor gives up, which is an error."""
PAUSE: Final = 1.0
"""Seconds that an agent looks at a page."""
LOOKS_EVERY: Final = 0.5
"""Seconds between a program's requests for its file's progress."""


class WrongAnswer(Exception):  # noqa: N818
    """A response that nobody should get."""


@dataclass
class Tally:
    """How long each thing took, in wall-clock seconds, and what went wrong."""

    durations: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    again: int = 0
    """Codes that expired on the way and were typed a second time."""
    seconds: float = 0.0

    def add(self, others: Tally) -> None:
        """Add another tally's counts."""
        self.durations += others.durations
        self.errors += others.errors
        self.again += others.again


@dataclass
class Visitor:
    """A person or program at an address, with what a browser keeps."""

    port: int
    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        expected: Sequence[int] = (200,),
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Send a request; return the response's status, headers and content."""
        sent = {"X-Forwarded-For": self.address, **self.headers, **(headers or {})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {**sent, "Connection": "close"})
            answer = connection.getresponse()
            content = answer.read()
        except OSError as broken:
            message = f"{method} {path}: {type(broken).__name__} {broken}"
            raise WrongAnswer(message) from None
        finally:
            connection.close()
        if answer.status not in expected:
            message = f"{method} {path}: {answer.status} {content[:200]!r}"
            raise WrongAnswer(message)
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: each.value for name, each in SimpleCookie(line).items()}
        return answer.status, answer.headers, content

    def send_form(self, path: str, **data: str) -> str:
        """Send a form of a page opened before; return where it leads if it is accepted."""
        body = urlencode({**data, "csrfmiddlewaretoken": self.cookies["csrftoken"]}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        _, result, _ = self.ask(
            path, method="POST", body=body, headers=headers, expected=(200, 302)
        )
        return result.get("Location", "")

    def sign_in(self, email: str, password: str, secret: str) -> int:
        """Sign in, from the empty form to the first page; return how many codes expired."""
        self.ask(SIGN_IN)
        if self.send_form(SIGN_IN, login=email, password=password) != SECOND_FACTOR:
            message = f"{email}: the password was not taken"
            raise WrongAnswer(message)
        self.ask(SECOND_FACTOR)
        for ran_out in range(2):
            if self.send_form(SECOND_FACTOR, code=_code(secret)):
                self.ask("/")
                return ran_out
        message = f"{email}: the code was not taken"
        raise WrongAnswer(message)

    def send(self, path: str, data: Mapping[str, Any], expected: int) -> Any:
        """Make a change, as a program with its key."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid4())}
        body = json.dumps(data).encode()
        _, _, content = self.ask(
            f"/api/v1/{path}", method="POST", body=body, headers=headers, expected=(expected,)
        )
        return json.loads(content)

    def look(self, path: str) -> Any:
        """Request something, as a program."""
        return json.loads(self.ask(f"/api/v1/{path}")[2])

    def submission(self, operator: str, log: Path) -> Tally:
        """Submit a log in pieces and wait until it is on file; return how long each piece took."""
        tally = Tally()
        content = log.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        about = {"operator": operator, "name": log.name, "size": len(content), "sha256": digest}
        begun = self.send("submissions", about, 201)
        place = f"submissions/{begun['submission']}"
        for number in range(-(-len(content) // begun["piece"])):
            piece = content[number * begun["piece"] : (number + 1) * begun["piece"]]
            headers = {
                "Content-Type": "application/octet-stream",
                "Piece-SHA256": hashlib.sha256(piece).hexdigest(),
            }
            began = time.perf_counter()
            self.ask(f"/api/v1/{place}/pieces/{number}", method="PUT", body=piece, headers=headers)
            tally.durations.append(time.perf_counter() - began)
        state = self.send(f"{place}/finish", {"sha256": digest}, 202)
        while state["state"] in {"waiting", "reading"}:
            time.sleep(LOOKS_EVERY)
            state = self.look(place)
        if state["state"] != "registered":
            tally.errors.append(f"{log.name}: {state['state']} {state['refusal']}")
        return tally


class Readers:
    """Agents who read one page after another, for as long as the block lasts."""

    def __init__(self, agents: Sequence[Visitor], pages: Sequence[str]) -> None:
        self.tally = Tally()
        self._enough = threading.Event()
        self._threads = [
            threading.Thread(target=self._read, args=[each, pages, number])
            for number, each in enumerate(agents)
        ]

    def __enter__(self) -> Self:
        self._began = time.perf_counter()
        for each in self._threads:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        for each in self._threads:
            each.join()
        self.tally.seconds = time.perf_counter() - self._began

    def _read(self, agent: Visitor, pages: Sequence[str], first: int) -> None:
        for page in _round_and_round(pages, first):
            began = time.perf_counter()
            try:
                agent.ask(page)
                self.tally.durations.append(time.perf_counter() - began)
            except WrongAnswer as wrong:
                self.tally.errors.append(str(wrong))
            if self._enough.wait(PAUSE):
                return


def _round_and_round(pages: Sequence[str], first: int) -> Iterator[str]:
    while True:
        yield pages[first % len(pages)]
        first += 1


def _code(secret: str) -> str:
    """Return what an authenticator app shows now (RFC 6238, RFC 4226)."""
    step = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.digest(base64.b32decode(secret), step, "sha1")
    [number] = struct.unpack_from(">I", digest, digest[-1] & 0x0F)
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06}"
