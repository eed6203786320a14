"""Finding what is remembered: embeddings, signals, fusion, the floor below which nothing is returned, and packing.

No database is touched here. Lexical hits, vectors, the graph neighbourhood and the facets of each document come in
as values; a ranked list with its reasons goes out. Apart from `embed`, these modules import numpy: import them late.
"""
