"""One round told as a person would tell it, from what the engine's own kernels say of it."""
