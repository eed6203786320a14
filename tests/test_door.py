"""The one door: what is public, and that looking at it costs nothing."""

import subprocess
import sys

import hornbook

HEAVY = (
    "kuzu",
    "spacy",
    "litellm",
    "onnxruntime",
    "duckdb",
    "networkx",
    "pyarrow",
    "numpy",
    "tokenizers",
    "instructor",
)


def test_the_public_names_are_sorted_and_all_there() -> None:
    assert sorted(hornbook.__all__) == hornbook.__all__
    assert all(getattr(hornbook, name) for name in hornbook.__all__)


def test_importing_it_loads_nothing_heavy() -> None:
    probe = f"import hornbook, hornbook.mcp, hornbook.cli, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert "[]" == found.stdout.strip()
