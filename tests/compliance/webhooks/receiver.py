"""A party's listening program: a real server with TLS, on an address of this test's own."""

from __future__ import annotations

import datetime
import ipaddress
import random
import ssl
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAME = "hooks.example"


@dataclass
class Receiver:
    """What came in, and the response: a status, headers, a body; or whatever `act` does."""

    address: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"thank you"
    act: Callable[[Any], None] | None = None
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"https://{self.address}:8443/hooks?from=audit"


def certificate(folder: Path, address: str) -> Path:
    """Write a certificate for this address and for NAME, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.IPAddress(ipaddress.ip_address(address)), x509.DNSName(NAME)]
            ),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{address}.pem"
    file.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return file


def own_address() -> str:
    """Return a loopback address that no other test uses, so that each has port 8443."""
    chance = random.SystemRandom()
    return f"127.{chance.randint(1, 254)}.{chance.randint(1, 254)}.{chance.randint(2, 254)}"


@contextmanager
def listening(folder: Path) -> Iterator[tuple[Receiver, Path]]:
    """Start a receiver; yield it with the certificate that identifies it."""
    receiver = Receiver(own_address())

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append((dict(self.headers), body))
            if receiver.act is not None:
                receiver.act(self)
                return
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(receiver.body)))
            self.end_headers()
            self.wfile.write(receiver.body)

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    known_by = certificate(folder, receiver.address)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(known_by)
    server = ThreadingHTTPServer((receiver.address, 8443), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver, known_by
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
