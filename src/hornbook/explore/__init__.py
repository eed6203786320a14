"""A memory as local pages: search, entities, lines, contests, claims, rules and proofs, at any two instants.

guard.py asks who comes before any page is made; app.py sends an address to the page it names; a page in `pages/` reads
the memory through its facade and gives a `Page`; shell.py puts it between the bars. Nothing is fetched from elsewhere,
and every page can be read without scripts.
"""
