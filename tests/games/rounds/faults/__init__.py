"""Named faults to plant in a clean round: each is meant to yield its code."""

from . import of_amounts, of_cards, of_course
from .planting import FAULTS, Fault, plant

__all__ = ["FAULTS", "Fault", "of_amounts", "of_cards", "of_course", "plant"]
