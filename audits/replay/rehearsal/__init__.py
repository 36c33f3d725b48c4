"""Rehearsal of a submission: what it would answer, without keeping anything."""
