"""Replay of rounds: terms, work units, findings files and comparisons."""
