"""The store: values, clocks, the journal, the graph view, belief and retrieval."""
