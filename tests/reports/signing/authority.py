"""A time-stamping authority of our own on a local port: certomancer's, over HTTP."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from asn1crypto import pem
from certomancer.integrations.animator import Animator, AnimatorArchStore
from certomancer.registry import ArchLabel, CertLabel, CertomancerConfig
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVER = {"valid-from": "2020-01-01T00:00:00+0000", "valid-to": "2100-01-01T00:00:00+0000"}
NAME = "Time of Tests"


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def usage(*names: str) -> dict[str, Any]:
    value = {"schema": "key-usage", "params": list(names)}
    return {"id": "key_usage", "critical": True, "smart-value": value}


def described(folder: Path) -> dict[str, Any]:
    """Create a root and an authority that it certifies, with new keys."""
    for name in ("root", "tsa"):
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (folder / f"{name}.pem").write_bytes(written)
    keys = {name: {"path": f"{name}.pem"} for name in ("root", "tsa")}
    ca = {"id": "basic_constraints", "critical": True, "value": {"ca": True}}
    stamps = {"id": "extended_key_usage", "critical": True, "value": ["time_stamping"]}
    root = {"subject": "root", "issuer": "root", "validity": EVER}
    tsa = {"subject": "tsa", "issuer": "root", "validity": EVER}
    return {
        "external-url-prefix": "http://127.0.0.1",
        "keysets": {"tests": {"path-prefix": ".", "keys": keys}},
        "pki-architectures": {
            "tests": {
                "keyset": "tests",
                "entities": {"root": {"common-name": "Root"}, "tsa": {"common-name": NAME}},
                "certs": {
                    "root": {**root, "extensions": [ca, usage("key_cert_sign")]},
                    "tsa": {**tsa, "extensions": [usage("digital_signature"), stamps]},
                },
                "services": {"time-stamping": {"tsa": {"signing-cert": "tsa"}}},
            }
        },
    }


@contextmanager
def stamping(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the address of a running authority, and a PEM file of its root."""
    known = CertomancerConfig(described(folder), key_search_dir=str(folder))
    made = known.get_pki_arch(ArchLabel("tests"))
    root = folder / "authorities.pem"
    der = made.get_cert(CertLabel("root")).dump()
    root.write_bytes(pem.armor("CERTIFICATE", der))
    program = Animator(AnimatorArchStore({ArchLabel("tests"): made}), with_web_ui=False)
    with make_server("127.0.0.1", 0, program, handler_class=Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/tests/tsa/tsa", root
        finally:
            server.shutdown()
            thread.join(10)
