"""Extraction by a language model: any provider that litellm reaches, one schema, every claim held to its quote."""
