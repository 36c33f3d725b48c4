"""`python -m games compile`: compile the kernels of every game and keep them on disk.

Workers started later load them from there; the digest of the sources names them.
"""

from __future__ import annotations

import argparse
import io
import sys
from typing import TYPE_CHECKING, Final

from games.commands.call import CallError, refuse
from games.kernel import cache_directory, can_keep
from games.log.reader import ColumnReader
from games.screens.run import SCREENS, ColumnRun
from games.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS: Final = {
    "pyramid-poker": b'"house":{"cards":"Kd 9s 7c","low":"9s"},"seats":[{"seat":1,'
    b'"cards":"Qs Jd 9c","low":"Jd","wagers":{"main":1,"three_card":1,"six_card":1},'
    b'"result":{"main":0,"three_card":0,"six_card":0}}]',
    "chinese-poker": b'"unit":1,"scoring":"unit","seats":[{"seat":1,"front":"8d 6c 2s",'
    b'"middle":"4s 4d Qc Tc 9c","back":"3d 3c 3h Jd Jh","result":{"total":0}},'
    b'{"seat":2,"front":"6s 5h 4h","middle":"2d 2h Kh Td 9d","back":"7s 7h 7c 7d 2c",'
    b'"result":{"total":0}}]',
    "pick-2-poker": b'"house":{"cards":"As Kd 9c 5h 2s"},"seats":[{"seat":1,'
    b'"cards":"Ac Kh 9d 5s 3s","play":"five","wagers":{"ante":1,"bonus_3_5":1,"bonus_5":0,'
    b'"play":1},"result":{"ante":0,"bonus_3_5":0,"bonus_5":0,"play":0}}]',
    "showdown": b'"chip":1,"dealer":1,"seats":[{"seat":1,"cards":"2c 3c 4c 5c 6c 7c 8c 9c Tc Jc '
    b'2d 3d 4d 5d 6d 7d 8d 9d Td Jd","play":"surrender-20","result":{"showdown":0,'
    b'"surrender":0,"pot":0}},{"seat":2,"cards":"2h 3h 4h 5h 6h 7h 8h 9h Th Jh 2s 3s 4s 5s 6s '
    b'7s 8s 9s Ts Js","play":"last","result":{"showdown":0,"surrender":0,"pot":0}}]',
    "casino-version": b'"house":{"cards":"2c 4c 5d 7h 7s 9c 9d 9h Ks",'
    b'"hands":["2c","4c 5d Ks","7h 7s 9c 9d 9h"]},"seats":[{"seat":1,'
    b'"cards":"2d 4d 5c 7c 7d Tc Td","play":"fold","wagers":{"ante":1,"buy_in":1},'
    b'"result":{"points":0,"ante":0,"buy_in":0}}]',
}
"""A round of each game; what gets compiled doesn't depend on the cards."""


def run(arguments: Sequence[str]) -> int:
    """Compile, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m games compile", description="Compile the kernels and keep them on disk."
    )
    parser.parse_args(arguments)
    if not can_keep():
        return refuse(CallError(f"the kernels cannot be kept in {cache_directory()}."))
    for game in SCREENS:
        if sys.stderr.isatty():
            sys.stderr.write(f"{game} ...\n")
        warm(game)
    sys.stdout.write(f"The kernels are kept in {cache_directory()}\n")
    return 0


def warm(game: str) -> None:
    """Read and settle a round of a game over columns, which compiles everything that takes."""
    line = b'{"v":1,"round":"R","game":"%s","table":"T","at":"2025-07-12T18:00:00Z",%s}\n' % (
        game.encode(), ROUNDS[game],
    )  # fmt: skip
    fast = ColumnRun(Setup())
    for block in ColumnReader(io.BytesIO(line)).blocks():
        for _ in fast.settle(block).line_verdicts:
            pass
