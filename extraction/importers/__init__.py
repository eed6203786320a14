"""Bringing in what other memory servers hold, with its provenance and its times, and saying what cannot be carried."""
