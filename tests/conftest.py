"""Tests share modules by their full name, `tests.graph.histories`: the repository's root is where `tests` is found."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.append(ROOT)  # last, so that nothing installed is hidden
