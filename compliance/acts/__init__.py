"""Acts that cannot easily be undone: checked first, and some confirmed by a second person."""
