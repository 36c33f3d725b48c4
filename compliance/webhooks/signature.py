"""How a delivery shows that it is ours: as Standard Webhooks 1.0.0 has it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

MARK = "whsec_"


def new_secret() -> str:
    """256 random bits, as the receiver's library takes them."""
    return MARK + base64.b64encode(secrets.token_bytes(32)).decode()


def signed_headers(secret: str, *, number: str, at: int, body: bytes) -> dict[str, str]:
    """The headers of a delivery: its number, the second it is sent in, and the signature of all."""
    key = base64.b64decode(secret.removeprefix(MARK))
    said = f"{number}.{at}.".encode() + body
    signature = base64.b64encode(hmac.new(key, said, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": number,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{signature}",
    }
