"""The words of each agency's letters: its template, and what a letter says instead."""
