"""Belief: the gate that decides, the fold that reads, and the ways out of a contest."""
