"""Benchmarks of the engine: speed and memory beside what a user would pick instead."""
