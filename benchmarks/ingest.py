"""What taking in many short texts costs, offline, in one run; and that a second run changes nothing.

    python benchmarks/ingest.py [--texts 10000] [--json]

Texts are short statements of many people in files of JSON lines, read by the command itself in a process of its own,
whose memory is sampled while it runs. Budget: the resident memory after a quarter of the time and at the end differ by
at most a quarter.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = ("Ana", "Bob", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ida", "Jon", "Kim", "Lea", "Max", "Nia", "Otto")
LAST = ("Berg", "Costa", "Dahl", "Eriksen", "Fischer", "Garcia", "Holm", "Ito", "Jansen", "Kowalski", "Lund", "Mora")
CITIES = ("Oslo", "Bergen", "Munich", "Lisbon", "Porto", "Kyoto", "Lyon", "Ghent", "Turin", "Graz")
FIRMS = ("Acme", "Globex", "Initech", "Umbra", "Hooli", "Vandelay")
SAID = (
    "{name} lives in {city}.",
    "{name} works for {firm}.",
    "Yesterday {name} moved to {city}.",
    "I met {name} in {city} last week.",
    "{name} and I had lunch; the soup was far too salty.",
    "{name} has worked for {firm} since 2019.",
    "Remember that {name} does not eat meat.",
    "The meeting about the {city} office was put off again.",
)


def texts(many: int) -> list[dict[str, str]]:
    """So many different short texts, the same in every run."""
    dice = random.Random(4)
    found = []
    for number in range(many):
        name = f"{dice.choice(NAMES)} {dice.choice(LAST)}-{dice.choice(LAST)}"
        said = dice.choice(SAID).format(name=name, city=dice.choice(CITIES), firm=dice.choice(FIRMS))
        day = f"{2020 + number % 5}-{1 + number % 12:02}-{1 + number % 28:02}"
        found.append({"id": str(number), "text": said, "session_id": f"s{number // 50}", "timestamp": day})
    return found


def run(file: Path, where: Path) -> tuple[dict[str, int], float, list[float]]:
    """Ingest a file: the counts, the seconds, and the resident memory in MB once a second."""
    command = [sys.executable, "-m", "hornbook", "ingest", str(file), "--db-path", str(where), "--json"]
    began, sampled = time.monotonic(), list[float]()
    environ = {**os.environ, "XDG_CACHE_HOME": str(where.parent / "cache")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
    while process.poll() is None:
        sampled.append(resident(process.pid))
        time.sleep(1)
    assert process.stdout is not None and process.returncode == 0, process.returncode
    return json.loads(process.stdout.read()), time.monotonic() - began, sampled


def resident(pid: int) -> float:
    """Resident memory of a process in MB, as Linux counts it; 0 when it has just ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0.0)


def main() -> int:
    """Run it twice and show what it cost; 1 where memory grew or the second run changed something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, where = Path(folder) / "texts.jsonl", Path(folder) / "memories"
        file.write_text("\n".join(map(json.dumps, texts(given.texts))))
        first, seconds, sampled = run(file, where)
        size = sum(one.stat().st_size for one in where.rglob("*") if one.is_file())
        again, repeat, _ = run(file, where)
    measured = [one for one in sampled if one]
    quarters = [round(max(measured[: max(1, len(measured) * part // 4)])) for part in (1, 2, 3, 4)]
    shown = {
        **first,
        "seconds": round(seconds, 1),
        "texts_per_second": round(given.texts / seconds, 1),
        "peak_mb_by_quarters": quarters,
        "mb_on_disk": round(size / 1e6),
        "second_run_seconds": round(repeat, 1),
        "second_run_known": again["known"],
    }
    print(json.dumps(shown) if given.json else "\n".join(f"{key:>20}  {value}" for key, value in shown.items()))
    return int(quarters[3] > 1.25 * quarters[0] or again["known"] != given.texts or bool(again["stored"]))


if __name__ == "__main__":
    sys.exit(main())
