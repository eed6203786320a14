"""A memory for agents that knows what it believes, since when, who said so, what contradicts it, and what follows."""

__version__ = "0.1.0"
