"""Records: stored memories as clients of a record store see them, added, filtered, revised and deleted."""
