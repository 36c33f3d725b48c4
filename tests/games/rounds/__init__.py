"""Rounds rich in rare cases: tables for all five games, set-ups, named faults to plant."""
