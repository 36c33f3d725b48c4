"""Infer why results are wrong: the causes that predict them to the cent, and what they leave out.

`diagnose` is given rounds of one operator and game with their verdicts: those with wrong results,
and some that were settled right. A cause is stated only if

- it predicts the exact amount that was logged, in enough rounds not to be a coincidence,
- hardly any result contradicts it, right ones included, at the tables, times, players, seats or
  dealers to which it is limited,
- nothing else that would mean something different explains the same results.

What no cause explains is left over. A wrong explanation is worse than none.
"""

from games.diagnosis.fit import Diagnosis, Explanation, diagnose
from games.diagnosis.resettled import Alternative
from games.diagnosis.results import Dealt, Result, results_of

__all__ = ["Alternative", "Dealt", "Diagnosis", "Explanation", "Result", "diagnose", "results_of"]
