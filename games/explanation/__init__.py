"""One round explained step by step, from the results of the engine's own kernels."""
