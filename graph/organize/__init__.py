"""Maintenance: small jobs that tidy a memory inside a budget of time, and say what they did. None destroys."""
