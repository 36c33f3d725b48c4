"""A game's definition: what its approval binds, as data that a person can check.

`read_definition` is the way in. The rules of settlement are in `games/families/`.
"""

from games.definition.model import Definition
from games.definition.problems import DefinitionError, Problem
from games.definition.read import read_definition

__all__ = ["Definition", "DefinitionError", "Problem", "read_definition"]
