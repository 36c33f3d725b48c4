"""The page kit, shared by pages of every subject."""
