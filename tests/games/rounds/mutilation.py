"""Lines with a few bytes lost, doubled or overwritten: mostly invalid, sometimes another form."""

from __future__ import annotations

from random import Random

from .batches import Batch, deal_batch

PIECES = (
    *(b'"', b",", b":", b"{", b"}", b"[", b"]", b"0", b"1", b"-", b"+", b".", b"e", b"E5", b" "),
    *(b"\t", b"\r", b"\x00", b"\x7f", b"\xff", b"\\", b"\\u0041", b"\xc3\xa9", b"\xe2\x80\xa8"),
    *(b"null", b"true", b"Jo", b"=", b"As", b"x_", b"00", b"-0", b"9" * 16),
    *(b'"x_a":1,', b'"v":1,'),
)


def mutilated(rng: Random, line: bytes) -> bytes:
    changed = bytearray(line.rstrip(b"\r\n"))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        place = rng.randrange(len(changed))
        way = rng.choice(("lose", "lose", "add", "add", "overwrite", "overwrite", "double"))
        if way == "lose":
            del changed[place : place + rng.choice((1, 1, 2, 5))]
        elif way == "add":
            changed[place:place] = rng.choice(PIECES)
        elif way == "overwrite":
            changed[place : place + 1] = rng.choice(PIECES)
        else:
            changed[place:place] = changed[place : place + 12]
        changed = changed or bytearray(b"{")
    return bytes(changed) + b"\n"


def mutilated_batch(game: str, seed: str, lines: int) -> Batch:
    """Return lines of one game's rounds, each damaged, without a set-up."""
    rng = Random(f"mutilated {game} {seed}")
    good = [line for line in deal_batch(game, seed, 60, 0.2).lines if 10 < len(line) < 5000]
    return Batch(game, {}, [mutilated(rng, rng.choice(good)) for _ in range(lines)])
