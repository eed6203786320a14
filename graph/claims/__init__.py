"""Belief carried out on a store: ask the view, let the gate decide, record what was decided."""
