"""Checks of what is filed against rules and law, one a file. Pure: no database."""
