"""Text to candidate claims: extractors, dates, entity resolution, the ingest pipeline."""
