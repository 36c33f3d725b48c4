"""Findings of replays, and their issues."""
