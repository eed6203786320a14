"""A file of any size is read in the memory that a small one takes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROBE = """
import resource, sys
from pathlib import Path
from hornbook.extraction.batch.files import read_file
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
path, before, texts = Path(sys.argv[1]), peak(), 0
for one in read_file(path, path.name):
    texts += 1
print(texts, peak() - before)
"""
MB = 1_000_000
LINE = json.dumps({"role": "user", "content": "Ana lives in Oslo. " * 50}) + "\n"
SAID = "Ana lives in Oslo. Bob works for Acme.\n" * 100


def parts(kind: str, size: int) -> Iterator[str]:
    """The content of a large file of this kind."""
    if kind == "list.json":
        yield "[" + ",".join([LINE] * (size // len(LINE))) + "]"
    elif kind == "line.jsonl":
        yield '{"text": "' + "Ana lives in Oslo. " * (size // 19) + '"}\n{"text": "next"}\n'
    else:
        part = {"a.jsonl": LINE, "a.txt": SAID, "a.md": f"# Day\n{SAID}", "line.txt": SAID.replace("\n", " ")}[kind]
        yield from (part for _ in range(size // len(part)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["a.jsonl", "list.json", "a.txt", "a.md", "line.txt", "line.jsonl"])
def test_a_large_file_takes_no_more_memory_than_its_parts(kind: str, tmp_path: Path) -> None:
    with (tmp_path / kind).open("w") as file:
        file.writelines(parts(kind, 200 * MB))
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(tmp_path / kind)], capture_output=True, text=True, check=True, timeout=120
    )
    texts, grown = done.stdout.split()

    assert int(texts) > 1
    assert float(grown) < 100, "MB"
