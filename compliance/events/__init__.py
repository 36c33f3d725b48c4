"""Events: each action is recorded in its own transaction."""
