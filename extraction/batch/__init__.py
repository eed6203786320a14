"""Reading many texts: files and exports cut into episodes as they are read, and ingested in groups."""
