"""Round logs damaged in every way we know, and what the contract says about each line.

`mutated_line` and `mutated_file` damage good logs, from a seed. `expected_lines` is the oracle: it
is written from the contract, reads line by line in plain Python, and imports nothing from `games`.
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import zstandard

from compliance.files.archive import current_archive, read_bytes
from tests.bench.simulated import GAMES, rounds
from tests.games.round_log.logs import damaged
from tests.games.second_reading.forms import FormError
from tests.games.second_reading.reading import instant, read_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audits.intake.models import RoundLog

YEAR_1 = -62_135_596_800
"""Seconds from 1970 back to the first instant that a date can represent."""
AHEAD = 300
"""Seconds by which a table's clock may be fast."""
LARGEST_SEAT = 2**63 - 1
BOM = b"\xef\xbb\xbf"

LITERALS = (
    *("null", "true", "false", "0", "1", "-1", "-0", "1.0", "-0.0", "1e0", "1e999", "-1E400"),
    *("2.5e3", "NaN", "Infinity", "-Infinity", "01", "+1", ".5", "1.", "1e", "0x10", "1_000"),
    *(str(10**12), str(10**12 + 1), str(10**15), str(-(10**15) - 1), str(2**63 - 1), str(2**63)),
    *(str(10**20), str(10**400), "9" * 5000, "tru", "nul", "undefined", "'x'", '""', '" "'),
    *('"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\udc00\\ud800"', '"\\x"'),
    *(
        '"\\u202e"',
        '"\\u00e9"',
        '"é"',
        '"１２"',
        '"-0"',
        '"1"',
        '"null"',
        '"As"',
        '"Jo"',
        '"Jo=As"',
    ),
    *("[]", "{}", "[[]]", "[null]", "[{}]", '{"a":1,"a":2}', "[" * 9 + "]" * 9, "[" * 100_000),
    *("[" * 5000 + "]" * 5000, '{"x_a":' * 9 + "1" + "}" * 9, '"' + "y" * 100_000 + '"', "", "@"),
)
TIMES = (
    *("0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59"),
    *("0001-01-01T00:00:00-00:01", "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:60Z"),
    *("1969-12-31T23:59:60Z", "2016-12-31T23:59:60Z", "2025-07-12T23:59:61Z"),
    *("2025-07-12T24:00:00Z", "2025-07-12T20:00:00+24:00", "2025-07-12T20:00:00+99:99"),
    *("2025-07-12T20:00:00+23:60", "2025-07-12T20:00:00-00:00", "2025-07-12t20:00:00z"),
    *("2025-07-12 20:00:00Z", "2025-07-12T20:00:00", "2025-07-12T20:00Z", "20250712T200000Z"),
    *("2025-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "1900-02-29T00:00:00Z"),
    *("2025-03-09T02:30:00-08:00", "2025-11-02T01:30:00-07:00", "2025-07-12T20:00:00.Z"),
    *("2025-07-12T20:00:00." + "9" * 1000 + "Z", "2025-07-12T20:00:00,5Z", "+2025-07-12T20:00:00Z"),
    *("２０２５-07-12T20:00:00Z", "2025-07-12T20:00:00−08:00", "2025-07-12T20:00:00Z\0", " "),
    *("2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2199-01-01T00:00:00Z", "-2025-07-12T20:00Z"),
)
CARDS = (
    *("", " ", "As", "As As", "10h", "as", "AS", "Jo", "Jo=As", "Jo=Jo", "Jo=", "As  Kd", "As Kd "),
    *("As,Kd", "A♠", "As\tKd", "As\0Kd", "Zz", "As " * 5000, "X" * 70_000),
)
TEXTS = (
    *("", "\0", "a\0b", "\u202eevil", "\u2028", "\ufeff", "😀", "é" * 64, "x" * 64, "x" * 65),
    *("x" * 32, "x" * 33, "x" * 70_000, "\x7f", "=1+1", "<script>", "'; DROP TABLE", "\r", "\n"),
    *("power failure", "../../etc/passwd", "ａ", "A-Z_.:9", "null"),
)
BYTES = (
    *(b"\0", b"\x1f", b"\x7f", b"\x80", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(BOM, b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b"\t", b"\r", b"\x0b", b"\x0c", b" ", b"\\", b'"'),
    *(
        b"\\u0000",
        b"\\ud800",
        b"\\udfff",
        b"\\u202e",
        b"\\n",
        b"\\/",
        b"\\x",
        b"\\u12",
        b"\xfe\xff",
    ),
)
KEYS = ("", "x_", "x_\0", "\0", "X_a", "Round", "rounds", "wager", "x_" * 50_000, "é", "__proto__")
MARK = "\u0001literal\u0001"


def good_rounds(seed: int, count: int, prefix: str) -> Iterator[dict[str, Any]]:
    """Yield rounds of all five games with ids of their own, at some tables of one evening."""
    games = [rounds(game, count // len(GAMES) + 1, seed) for game in GAMES]
    for number in range(count):
        minute = number % 600
        yield {
            **next(games[number % len(games)]),
            "round": f"{prefix}-{number:06d}",
            "table": f"T{number % 7}",
            "at": f"2025-07-12T{8 + minute // 60:02d}:{minute % 60:02d}:00-07:00",
        }


def mixed_lines(seed: int, count: int, prefix: str) -> bytes:
    """Return a log with every fifth line, from the first on, intact and the others mutated."""
    chance = Random(f"lines {seed}")
    return b"".join(
        (orjson.dumps(good) if number % 5 == 0 else mutated_line(good, chance)) + b"\n"
        for number, good in enumerate(good_rounds(seed, count, prefix))
    )


# --- one line ---


def mutated_line(good: dict[str, Any], chance: Random) -> bytes:
    """Return a damaged good round, which may still be good. It contains no newline."""
    return chance.choice(_DAMAGES)(good, chance).replace(b"\n", b" ")


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every value inside."""
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for key, item in inside:
        yield (*path, key)
        yield from _places(item, (*path, key))


def _with(good: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(good))
    inside: Any = copied
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return copied


def _object(good: dict[str, Any], chance: Random) -> tuple[dict[str, Any], Any]:
    """Return a copy, and one of the objects in it."""
    copied: dict[str, Any] = json.loads(json.dumps(good))
    objects: list[Any] = [copied, *copied["seats"], *(seat["result"] for seat in copied["seats"])]
    objects += [copied["house"]] if "house" in copied else []
    return copied, chance.choice(objects)


def _dumped(value: Any, chance: Random) -> bytes:
    separators = (",", ":") if chance.random() < 0.7 else (", ", ": ")
    return json.dumps(value, ensure_ascii=chance.random() < 0.5, separators=separators).encode(
        errors="surrogatepass"
    )


def _bytes_changed(good: dict[str, Any], chance: Random) -> bytes:
    return damaged(_dumped(good, chance), chance)


def _bytes_put_in(good: dict[str, Any], chance: Random) -> bytes:
    line = _dumped(good, chance)
    for _ in range(chance.choice((1, 1, 3))):
        place = chance.randrange(len(line) + 1)
        line = line[:place] + chance.choice(BYTES) + line[place:]
    return line


def _literal_swapped(good: dict[str, Any], chance: Random) -> bytes:
    swapped = _with(good, chance.choice(list(_places(good))), MARK)
    return _dumped(swapped, chance).replace(
        json.dumps(MARK).encode(), chance.choice(LITERALS).encode()
    )


def _own_field_added(good: dict[str, Any], chance: Random) -> bytes:
    copied, inside = _object(good, chance)
    inside[chance.choice(("x_note", "x_", "x_\0", "note"))] = MARK
    return _dumped(copied, chance).replace(
        json.dumps(MARK).encode(), chance.choice(LITERALS).encode()
    )


def _time_swapped(good: dict[str, Any], chance: Random) -> bytes:
    return _dumped({**good, chance.choice(("at", "at", "from")): chance.choice(TIMES)}, chance)


def _cards_swapped(good: dict[str, Any], chance: Random) -> bytes:
    texts = [path for path in _places(good) if _is_cards(good, path)]
    return _dumped(_with(good, chance.choice(texts), chance.choice(CARDS)), chance)


def _is_cards(good: dict[str, Any], path: tuple[Any, ...]) -> bool:
    names = ("cards", "low", "three", "front", "middle", "back", "hands")
    inside: Any = good
    for key in path:
        inside = inside[key]
    return isinstance(inside, str) and any(key in names for key in path)


def _text_swapped(good: dict[str, Any], chance: Random) -> bytes:
    name = chance.choice(("round", "table", "deck", "void", "game", "x_note", "player"))
    if name == "player":
        return _dumped(_with(good, ("seats", 0, "player"), chance.choice(TEXTS)), chance)
    return _dumped({**good, name: chance.choice(TEXTS)}, chance)


def _key_gone(good: dict[str, Any], chance: Random) -> bytes:
    copied, inside = _object(good, chance)
    del inside[chance.choice(list(inside))]
    return _dumped(copied, chance)


def _key_renamed(good: dict[str, Any], chance: Random) -> bytes:
    copied, inside = _object(good, chance)
    inside[chance.choice(KEYS)] = inside.pop(chance.choice(list(inside)))
    return _dumped(copied, chance)


def _key_twice(good: dict[str, Any], chance: Random) -> bytes:
    name = chance.choice((*good, "x_note"))
    value = json.dumps(good.get(name, 1)).encode()
    twice = b"{" + json.dumps(name).encode() + b":" + value + b","
    twice += twice[1:] if name == "x_note" else b""
    return twice + _dumped(good, chance)[1:]


def _optional_added(good: dict[str, Any], chance: Random) -> bytes:
    extra: list[dict[str, Any]] = [
        {"void": None}, {"void": ""}, {"void": "fire\0"}, {"deck": "\0"}, {"deck": "d" * 70_000},
        {"decks": chance.choice((0, 1, 100, 101, True))}, {"shuffler": chance.choice((True, 1))},
        {"from": good["at"]}, {"banker": 1, "bank": 0}, {"v": chance.choice((2, "1", 1.0, True))},
        {"seats": []}, {"seats": good["seats"] * 2}, {"seats": good["seats"] * 400},
    ]  # fmt: skip
    return _dumped({**good, **chance.choice(extra)}, chance)


def _numbers_moved(good: dict[str, Any], chance: Random) -> bytes:
    numbers = [path for path in _places(good) if path[-1] in {"seat", "unit", "chip", "dealer"}]
    numbers += [("seats", 0, "result", key) for key in good["seats"][0]["result"]]
    bounds = [0, 1, 10**12, 10**15, 2**53, 2**63, 10**20, 10**30]
    number = chance.choice((1, -1)) * (chance.choice(bounds) + chance.choice((-1, 0, 1)))
    return _dumped(_with(good, chance.choice(numbers), number), chance)


def _cut(good: dict[str, Any], chance: Random) -> bytes:
    line = _dumped(good, chance)
    return line[: chance.randrange(len(line))]


def _wrapped(good: dict[str, Any], chance: Random) -> bytes:
    line = _dumped(good, chance)
    around = (
        *((b"[", b"]"), (b"", b","), (b"", b"}"), (b"{", b""), (b"", line), (b"", b" " + line)),
        *((b" ", b" "), (b"\t", b"\r"), (b"\x0c", b""), (BOM, b""), (b"", b"\0"), (b"\0", b"")),
        *((b"// ", b""), (b"", b" # end"), (b"data: ", b""), (b" " * 70_000, b"\t" * 70_000)),
    )
    before, behind = chance.choice(around)
    return before + line + behind


def _something_else(good: dict[str, Any], chance: Random) -> bytes:
    line = _dumped(good, chance)
    return chance.choice(
        (
            *(b"", b" ", b"\r", b"{}", b"[]", b"null", b"1", b'""', b"round;table;at", b"\0" * 50),
            *(
                chance.randbytes(60),
                line.decode().encode("utf-16"),
                line[::-1],
                gzip.compress(line),
            ),
            *(
                b"[" * 200_000,
                b'{"a":' * 100_000,
                BOM,
                b'"' + b"\\" * 1001,
                b"{" + b'"x_a":1,' * 999,
            ),
            b'{"v":1,"x_long":"' + b"z" * chance.choice((9, 99, 1 << 20)) + b'",' + line[1:],
        )
    )


_DAMAGES = (
    *(_bytes_changed, _bytes_changed, _bytes_put_in, _literal_swapped, _literal_swapped),
    *(_own_field_added, _time_swapped, _cards_swapped, _text_swapped, _key_gone, _key_renamed),
    *(_key_twice, _optional_added, _numbers_moved, _cut, _wrapped, _something_else),
)


# --- a whole file ---


def mutated_file(content: bytes, chance: Random) -> bytes:
    """Damage a log as a whole: its compression, its encoding, its beginning and its end."""
    return chance.choice(_FILE_DAMAGES)(content, chance)


def _packed(content: bytes, chance: Random) -> bytes:
    pack = chance.choice((bytes, gzip.compress, zstandard.compress, _streamed))
    return bytes(pack(content))


def _streamed(content: bytes) -> bytes:
    packer = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    return packer.compress(content) + packer.flush()


def _file_cut(content: bytes, chance: Random) -> bytes:
    packed = _packed(content, chance)
    return packed[: chance.randrange(1, len(packed))]


def _file_flipped(content: bytes, chance: Random) -> bytes:
    packed = bytearray(_packed(content, chance))
    for _ in range(chance.choice((1, 2, 10))):
        packed[chance.randrange(len(packed))] ^= 1 << chance.randrange(8)
    return bytes(packed)


def _file_joined(content: bytes, chance: Random) -> bytes:
    """Return members and frames concatenated, with or without something between and after them."""
    cut = chance.randrange(len(content))
    between = chance.choice((b"", b"", b"\0" * 7, b"PK\3\4", b"\x50\x2a\x4d\x18\3\0\0\0abc", b"\n"))
    first, last = _packed(content[:cut], chance), _packed(content[cut:], chance)
    return first + between + last + chance.choice((b"", b"", b"\0" * 600, b"rubbish"))


def _file_mismarked(content: bytes, chance: Random) -> bytes:
    magic = (
        *(b"\x1f\x8b", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"PK\3\4", b"%PDF-1.7\n", b"\0\0"),
        *(b"\xfd7zXZ\0", b"\x50\x2a\x4d\x18\xff\xff\xff\xff", b"\xff\xfe", b"\xfe\xff", b"BZh9"),
    )
    return chance.choice(magic) + content


def _file_encoded(content: bytes, chance: Random) -> bytes:
    names = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-7", "cp037")
    recoded = content.decode().encode(chance.choice(names))
    return chance.choice((bytes, gzip.compress))(recoded)


def _file_ends_changed(content: bytes, chance: Random) -> bytes:
    changed = chance.choice(
        (
            content.replace(b"\n", b"\r\n"), content.replace(b"\n", b"\r"), content.rstrip(b"\n"),
            content.replace(b"\n", b"\n\n"), b"\n" * 50 + content, content + b"\n" * 50,
            content.replace(b"\n", b"\x0b\n"), BOM + content, BOM * 2 + content,
            content + BOM + content[:300], content.replace(b"\n", "\u2028".encode()),
            b"[" + content.replace(b"\n", b",\n") + b"]",
        )
    )  # fmt: skip
    return _packed(changed, chance)


def _file_of_nothing(content: bytes, chance: Random) -> bytes:
    del content
    nothing = chance.choice((b"\n", BOM, b"\0" * 300, b" ", BOM + b"\n", b"\r\n" * 40, b"\xff\xfe"))
    return chance.choice((bytes, gzip.compress, zstandard.compress))(
        nothing + chance.randbytes(3).hex().encode() * chance.choice((0, 1))
    )


def _file_mixed(content: bytes, chance: Random) -> bytes:
    """Return good lines among random bytes, an endless line, and lines cut from their middle."""
    lines = content.splitlines(keepends=True)
    for _ in range(chance.choice((1, 3, 9))):
        place = chance.randrange(len(lines))
        lines.insert(
            place,
            chance.choice(
                (
                    chance.randbytes(200).replace(b"\n", b"") + b"\n",
                    lines[place][: len(lines[place]) // 2],
                    b"{" + b"a" * chance.choice((1 << 20, 1 << 22)) + b"\n",
                    lines[place],
                    lines[chance.randrange(len(lines))],
                )
            ),
        )
    mixed = b"".join(lines)
    return mixed if b"a" * (1 << 20) in mixed else _packed(mixed, chance)


def _file_bomb(content: bytes, chance: Random) -> bytes:
    padding = chance.choice((b"\n", b" ", b"\0", b"{}\n", b"a")) * (16 << 20)
    return chance.choice((gzip.compress, zstandard.compress))(content + padding)


_FILE_DAMAGES = (
    *(_file_cut, _file_flipped, _file_joined, _file_mismarked, _file_encoded, _file_ends_changed),
    *(_file_of_nothing, _file_mixed, _file_bomb),
)


def rejected_lines(log: RoundLog) -> set[int]:
    """Return the numbers of a log's rejected lines, as recorded in its file in the archive."""
    if not log.rejected_file:
        return set()
    lines = read_bytes(current_archive(), log.rejected_file).splitlines()
    return {orjson.loads(line)["line"] for line in lines}


# --- the oracle ---


@dataclass
class Expected:
    """What the contract says about a file: rejected as a whole, or which of its lines are."""

    lines: int
    rejected: set[int]

    @property
    def good(self) -> int:
        return self.lines - len(self.rejected)


def expected_of(content: bytes, seen: set[str], now: float) -> Expected | None:
    """Return what becomes of a file, or None if it is rejected. `seen` are ids already on file."""
    try:
        text = _unpacked(content)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError):
        return None
    if len(text) > 1 << 20 and len(text) > 200 * len(content):
        return None
    if text[:4] in {b'{\0"\0', b'\0{\0"'} or _is_utf_16(text) or b'\0\0\0"' in text[:12]:
        return None
    text = text.removeprefix(BOM)
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    rejected = {number for number, line in enumerate(lines, 1) if not is_accepted(line, seen, now)}
    return Expected(len(lines), rejected) if lines else None


def _is_utf_16(text: bytes) -> bool:
    """Return whether there is a byte order mark, and a character of ASCII next to it."""
    if text[:2] == b"\xff\xfe":
        return text[3:4] == b"\0"
    return text[:3] == b"\xfe\xff\0"


def _unpacked(content: bytes) -> bytes:
    if content[:2] == b"\x1f\x8b":
        return gzip.decompress(content)
    if content[:4] == b"\x28\xb5\x2f\xfd" or (
        content[1:4] == b"\x2a\x4d\x18"
        and content[:1] in {bytes([each]) for each in range(0x50, 0x60)}
    ):
        return _unpacked_frames(content)
    return content


def _unpacked_frames(content: bytes) -> bytes:
    text = b""
    while content:
        if content[1:4] == b"\x2a\x4d\x18":
            size = 8 + int.from_bytes(content[4:8], "little")
            if size > len(content):
                raise EOFError
            content = content[size:]
            continue
        frame = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
        text += frame.decompress(content)
        if not frame.eof:
            raise EOFError
        content = frame.unused_data
    return text


def is_accepted(line: bytes, seen: set[str], now: float) -> bool:
    """Return whether a line is a round whose id is new, and record the id."""
    read = read_line(1, line)
    if read.round is None:
        return False
    try:
        json.dumps(read.round, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # an unpaired surrogate
        return False
    if any(seat["seat"] > LARGEST_SEAT for seat in read.round["seats"]):
        return False
    try:
        ended = instant(read.round["at"], "at")
    except FormError:
        return False
    if not YEAR_1 <= ended <= now + AHEAD or read.round["round"] in seen:
        return False
    seen.add(read.round["round"])
    return True
