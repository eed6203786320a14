"""Forgetting: hiding what came from somewhere, removing its bytes for good, and taking back what was done last."""
