"""Games, the versions of their rules, and the checks of the documents filed for them."""
