"""Families of play: code that settles, explains and counts what a definition says."""
