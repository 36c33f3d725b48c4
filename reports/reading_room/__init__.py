"""The public reading room: approved games and the law."""
