"""Gambling days: when they begin, end and close."""
