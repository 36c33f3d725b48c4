"""The second reading of the rules: slow, plain, exact, and separate from the engine.

It is written from the clauses alone and imports nothing from the engine. `README.md` lists how open
questions were interpreted.
"""

from .judging import judge_lines
from .setup import SetupError

__all__ = ["SetupError", "judge_lines"]
