"""The second reading of the rules: slow, plain, exact, and apart from the engine.

Written from the clauses alone; it imports nothing of the engine.
`README.md` lists how open words were read.
"""

from .judging import judge_lines
from .setup import SetupError

__all__ = ["SetupError", "judge_lines"]
