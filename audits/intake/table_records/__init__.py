"""What operators say of their tables: the cash of a span of time, and that one was closed."""
