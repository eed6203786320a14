"""The graph as a page: one HTML file that is looked at offline, with both clocks as sliders.

pieces.py    what a line shows over valid time, from its claims at one known instant
past.py      the same for each instant at which something became known: what makes sliding exact
graph.py     all lines as the JSON that the page draws
layout.py    where the nodes stand
assets.py    the library, our script and the style
document.py  the page as a value: shown in a notebook, saved, opened
"""
