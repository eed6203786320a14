"""A newcomer's path: from `pip install` to the first question of their own answered, by commands and in a notebook.

    python benchmarks/newcomer.py [--own TEXT QUESTION ANSWER] [--json FILE]

The wheel is built and installed into a fresh environment, with everything it depends on, from wherever pip gets it;
then a text of the newcomer's own is taken in and asked about: by commands, and by cells of a notebook that nbclient
runs in that environment. Home, cache and settings are empty. Every command and cell that has to be typed is a row and
counts as one. CPU is that of the command and its children (of the kernel, for a cell); wall time depends on the machine
and, for the installation, on the network. It fails where the answer is not among what is shown.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from measure import cpu_of, disk_mb, publish, reader
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
OWN = ("I left my bicycle in the cellar of number twelve.", "Where is my bike?", "cellar of number twelve")
CELLS = (
    'from hornbook import Memory\n\nmemory = Memory.open(user="me")',
    "memory.ingest({text!r})",
    "memory.search({question!r})",
)


def build(to: Path) -> Path:
    """The wheel, as it would be published."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "-o", str(to), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = to.glob("*.whl")
    return wheel


def environment(home: Path, programs: Path) -> dict[str, str]:
    """What a newcomer's commands see: their own empty home, and nothing of this machine's settings."""
    ours = ("HORNBOOK_", "LLM_", "EMBEDDING_", "PYTHON", "VIRTUAL_ENV", "JUPYTER")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    folders = {f"XDG_{name.upper()}_HOME": str(home / name) for name in ("data", "config", "cache")}
    own = {"JUPYTER_PATH": str(home / "jupyter"), "IPYTHONDIR": str(home / "ipython")}
    return {**kept, **folders, **own, "PATH": f"{programs}{os.pathsep}{kept.get('PATH', '')}"}


def children_cpu() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def timed(act: Callable[[], str], clock: Callable[[], float]) -> tuple[str, float, float]:
    """What it gave, and the seconds of CPU and on the wall that it took."""
    cpu, wall = clock(), time.perf_counter()
    told = act()
    return told, clock() - cpu, time.perf_counter() - wall


def row(way: str, number: int, what: str, cpu: float, wall: float) -> dict[str, Any]:
    return {"way": way, "typed": number, "what": f"`{what}`", "CPU s": seconds(cpu), "wall s": seconds(wall)}


def seconds(spent: float) -> str:
    """Tenths of a second; what is too short for them says so.

    >>> seconds(1.23), seconds(0.02)
    ('1.2', '< 0.1')
    """
    return "< 0.1" if spent < 0.05 else f"{spent:.1f}"


def on_the_command_line(home: Path, programs: Path, wheel: Path, own: tuple[str, str, str]) -> Iterator[dict[str, Any]]:
    """Install, take in, ask; then ask once more, when nothing is new any more."""
    text, question, answer = own
    (home / "notes.txt").write_text(text, encoding="utf-8")  # with an editor, so it is no command
    environ = environment(home, programs)
    steps = (
        ("pip install hornbook", [str(programs / "pip"), "install", "-q", str(wheel)], ""),
        ("hornbook ingest notes.txt", ["hornbook", "ingest", "notes.txt"], "stored"),
        (f'hornbook search "{question}"', ["hornbook", "search", question], answer),
        (f'hornbook search "{question}"', ["hornbook", "search", question], answer),
    )
    for number, (typed, command, wanted) in enumerate(steps, 1):
        told, cpu, wall = timed(lambda command=command: run(command, home, environ), children_cpu)  # type: ignore[misc]
        assert wanted in " ".join(told.replace("│", " ").split()), (typed, told)
        yield row("command line", number, typed, cpu, wall)


def run(command: list[str], home: Path, environ: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=home, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr[-2_000:])
    return done.stdout


def in_a_notebook(home: Path, programs: Path, own: tuple[str, str, str]) -> Iterator[dict[str, Any]]:
    """The cells of a new notebook, in a kernel of the fresh environment."""
    text, question, answer = own
    cells = [cell.format(text=text, question=question) for cell in CELLS]
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]  # type: ignore[no-untyped-call]  # nbformat has no types
    notebook = nbformat.v4.new_notebook(cells=made)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=300, kernel_name="newcomer", resources={"metadata": {"path": str(home)}})
    with client.setup_kernel():
        pid = client.km.provisioner.pid  # type: ignore[union-attr]
        for number, cell in enumerate(notebook.cells):
            told, cpu, wall = timed(
                lambda cell=cell, number=number: str(client.execute_cell(cell, number)["outputs"]),  # type: ignore[misc]
                lambda: cpu_of(pid),
            )
            assert number < len(cells) - 1 or answer in told, told
            yield row("notebook", number + 2, cells[number].splitlines()[-1], cpu, wall)


@contextmanager
def settings_of(home: Path, programs: Path) -> Iterator[None]:
    """Take the newcomer's settings for this process, since the kernel that it starts inherits them."""
    spec = home / "jupyter" / "kernels" / "newcomer"
    spec.mkdir(parents=True)
    argv = [str(programs / "python"), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "newcomer", "language": "python"}))
    kept = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment(home, programs))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def walk(folder: Path, own: tuple[str, str, str]) -> Iterator[dict[str, Any]]:
    """Both ways, one after the other, each with an empty home."""
    wheel, programs = build(folder / "wheel"), folder / "fresh" / "bin"
    subprocess.run([sys.executable, "-m", "venv", str(folder / "fresh")], check=True)
    homes = [folder / name for name in ("shell", "notebook")]
    for home in homes:
        home.mkdir()
    yield from on_the_command_line(homes[0], programs, wheel, own)
    print(f"the environment takes {disk_mb(folder / 'fresh'):,.0f} MB\n", file=sys.stderr)
    kernel = [str(programs / "pip"), "install", "-q", "ipykernel"]
    _, cpu, wall = timed(lambda: run(kernel, homes[1], environment(homes[1], programs)), children_cpu)
    yield row("notebook", 1, "pip install notebook", cpu, wall) | {"what": "the kernel of `pip install notebook`"}
    with settings_of(homes[1], programs):
        yield from in_a_notebook(homes[1], programs, own)


def main() -> int:
    """Walk, and print what each step took."""
    parser = reader(__doc__)
    parser.add_argument("--own", nargs=3, default=OWN, metavar=("TEXT", "QUESTION", "ANSWER"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        publish(list(walk(Path(folder), tuple(given.own))), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
