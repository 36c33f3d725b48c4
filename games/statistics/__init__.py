"""What chance would do: exact evidence that cards and results are not those of a fair game.

Everything here is an e-process: a bet against a fair game that starts at 1 and that no fair game
can be expected to win, however long it is watched and however often it is examined. By Ville's
inequality, a fair stream ever reaches an evidence of 10^9 with a chance of at most 10^-9.
"""
