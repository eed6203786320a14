"""Every notebook runs from top to bottom, shows what its text promises, and is committed without outputs."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
# of each notebook some words that its outputs show, in this order
PROMISED = {
    "01-first-steps": ("Memory of Ana", "Berlin", "Nordwind", "under the blue pot", "<svg", "<iframe", "climbing"),
    "02-time-travel": (
        "Memory of Ana",
        "Nordwind",
        "Berlin",
        "('Munich', 'Berlin')",
        "<svg",
        "<svg",
        "claims",
        "<iframe",
        "Berlin",
    ),
    "03-contested": (
        "Contested",
        "1 contested line",
        "contested",
        "Resolved",
        "contest resolved",
        "'Contested'",
        "['4711', '1234']",
        "the code was changed in May",
    ),
    "04-rules-and-proofs": (
        "4 rules",
        "2 rows",
        "Ana",
        "“Tim found a flat in Augsburg.” (Ana)",
        "holds",
        "does not hold; the nearest",
        "((), (('Bavaria',), ('Germany',)))",
        "unbound_variable at line 1",
        "contested line",
    ),
    "05-batch-ingest": (
        "10 texts · 9 extracted · 1 failed",
        "notes.jsonl, line 2: it is not JSON",
        "Memory of Rosa · empty",
        "Jonas Brandt lives_in Stuttgart;",
        "10 texts · 9 stored",
        "10 texts · 9 known · 1 failed",
        "10 texts · 1 stored · 9 known · 1 extracted",
        "members.csv",
        "Reutlingen until 2024-09",
        "allotment/diary.md",
        "1 contested line",
        "allergic to bee stings",
        "<iframe",
    ),
    "06-retrieval": (
        "Memory of house",
        "behind the fuse box",
        "1,480 euros",
        "0711-5550142",
        "0 results",
        "I will, it is only the pump.",
        "neighbours",
        "without meaning",
        "['The house meeting is on the first Sunday of the month.']",
        "['Always answer in German.']",
        "2023-05-01 ['bins collected on Thursdays']",
        "2025-05-01 ['bins collected on Tuesdays']",
        "What is believed",
        "100 allowed",
    ),
    "07-own-model": (
        "2 claims",
        "Superseded",
        "['logbook 1', 'logbook 1']",
        "(possible)",
        "Zippy zebras",
        "0 results",
        "rhubarb",
        "the text does not hold the quote of the claim 'Max lives_in Mars'",
        "2 stored · 2 failed",
        "Petra is fond of beekeeping.",
        "2 stored · 2 extracted",
        "2 calls",
        "('Max', 'trains')]",
        "'NoBelief'",
    ),
}


def test_every_notebook_is_promised_something() -> None:
    assert set(PROMISED) == {file.stem for file in NOTEBOOKS.glob("*.ipynb")}


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_a_notebook_is_committed_without_outputs(name: str) -> None:
    for cell in read(name)["cells"]:
        assert [] == cell.get("outputs", []) and cell.get("execution_count") is None, cell["id"]


@pytest.fixture
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that finds nothing of the user's, and leaves nothing with them."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("config", "cache", "data"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))


@pytest.mark.usefixtures("_alone")
@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning"
)  # of the client's libraries: none of ours runs in this process
@pytest.mark.parametrize("name", sorted(PROMISED))
def test_a_notebook_runs_and_shows_what_it_promises(name: str, tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.reads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"), as_version=4)
    nbformat.validate(notebook)

    nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()

    shown = "\n".join(outputs(notebook))
    at = 0
    for words in PROMISED[name]:
        assert words in shown[at:], f"{words!r} is not shown after {shown[:at][-80:]!r}"
        at = shown.index(words, at) + len(words)
    assert "Traceback" not in shown


def read(name: str) -> Any:
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))


def outputs(notebook: Any) -> Iterator[str]:
    """What each cell shows: pictures and HTML where there are any, without the styles."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {"text/plain": output.get("text", "")})
            chosen = data.get("image/svg+xml") or data.get("text/html") or data.get("text/plain", "")
            words = re.sub(r"<style>.*?</style>", "", chosen, flags=re.DOTALL)
            yield html.unescape(re.sub(r"<(?!svg|iframe)[^>]*>", "", words))
