"""Carrying a memory elsewhere: as lines of JSON, as one file, as a copy; and bringing it back."""
