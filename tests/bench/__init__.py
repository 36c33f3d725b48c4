"""Benchmarks of the engine: speed and memory compared with what a user would pick instead."""
