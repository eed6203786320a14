"""Files that the other systems wrote come in with their provenance and times, once, and what is left is told.

The systems are installed from PyPI into environments of their own; where that cannot be done the tests are skipped.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.properties.acts import memory_in

from hornbook.graph.errors import InvalidArgument
from hornbook.memory import Memory

pytestmark = pytest.mark.slow
PACKAGES = {"mempill": "mempill==0.4.0", "powermem": "powermem==1.1.7"}
MAKER = Path(__file__).with_name("make_peers.py")


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that the system named by the parameter has written."""
    system = str(request.param)
    folder = tmp_path_factory.mktemp(system)
    python = python_with(system, folder / "env")
    environ = {**os.environ, "HOME": str(folder)}
    told = subprocess.run(
        [python, str(MAKER), system, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=environ,
        timeout=300,
    )
    assert told.returncode == 0, told.stderr[-2_000:]
    return folder / str(json.loads(told.stdout.splitlines()[-1])["file"])


def python_with(system: str, env: Path) -> str:
    """A Python that has a system: the one that a variable names, or one made now."""
    given = os.environ.get("TEST_PEERS_PYTHON")
    if given is not None:
        return given
    subprocess.run([sys.executable, "-m", "venv", str(env)], check=True)
    python = str(env / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", PACKAGES[system]]
    done = subprocess.run(install, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode:
        pytest.skip(f"NOT TESTED: {PACKAGES[system]} cannot be installed here")
    return python


@pytest.fixture
def memory() -> Iterator[Memory]:
    """An empty memory of ana."""
    with memory_in() as memory:
        yield memory


def value(memory: Memory, subject: str, predicate: str, at: str) -> object:
    """What is believed at an instant."""
    belief = memory.believe(subject, predicate, valid_at=at).belief
    return belief.primary.value if belief.primary else None


@pytest.mark.parametrize("made", ["mempill"], indirect=True)
def test_claims_of_mempill_keep_their_windows_provenance_premises_and_ends(made: Path, memory: Memory) -> None:
    report = memory.bring(made, "mempill")

    assert (report.claims, report.ends) == (6, 1)
    assert value(memory, "ana", "lives_in", "2021") == "Berlin"
    assert value(memory, "ana", "works_for", "2023") == "Acme"
    assert value(memory, "ana", "works_for", "2025") is None
    (line,) = memory.contested().lines
    assert (line.subject, line.predicate) == ("ben", "lives_in")
    told = {str(one.held.claim.value): one.held.claim for one in memory.history("ana")}
    assert told["Acme"].provenance.value == "External:ExternalFirstHand"
    assert told["Acme"].derived_from == (told["Berlin"].id,)
    assert told["Acme"].criticality.value == "High" and told["Acme"].confidence == pytest.approx(0.7)
    assert told["Berlin"].occurred_at is not None and told["Berlin"].valid.start is not None
    assert told["Rome"].provenance.value == "ModelDerived"


@pytest.mark.parametrize("made", ["powermem"], indirect=True)
def test_memories_of_powermem_keep_their_times_agents_and_metadata(made: Path, memory: Memory) -> None:
    report = memory.bring(made, "powermem")
    records = {record.content: record.as_dict() for record in memory.list().records}

    assert report.texts == 3
    assert set(records) == {"Ana drinks green tea.", "I moved to Munich.\nNoted.", "Ana likes go."}
    tea = records["Ana drinks green tea."]
    assert (tea["agent_id"], tea["run_id"], tea["metadata"]["room"]) == ("a1", "r1", "kitchen")
    assert tea["metadata"]["imported"]["from"] == "powermem"
    assert memory.get(1).occurred_at is not None
    assert report.left[("a memory of another user", "bring it into the memory of ben")] == 1


@pytest.mark.parametrize("made", ["mempill", "powermem"], indirect=True)
def test_a_file_comes_in_once_and_is_left_as_it_was(made: Path, memory: Memory) -> None:
    system = "mempill" if made.name.startswith("agent") else "powermem"
    before = made.read_bytes()
    first = memory.bring(made, system)
    events = memory.stats()["events"]
    again = memory.bring(made, system)

    assert (again.texts, again.claims, again.ends) == (0, 0, 0)
    assert again.already == first.texts + first.claims + first.ends
    assert memory.stats()["events"] == events
    assert made.read_bytes() == before
    with pytest.raises(InvalidArgument, match="not a database of"):
        memory.bring(made, "powermem" if system == "mempill" else "mempill")
