"""Rounds rich in what is rare: tables for all five games, set-ups, named faults to plant."""
