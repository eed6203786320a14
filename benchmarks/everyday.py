"""How much of everyday talk ends up in dispute: conversations ingested offline, the lines they make, and the contested.

    python benchmarks/everyday.py FILE [--only 0,1] [--show] [--json FILE]

FILE holds conversations in LoCoMo's format. Each is ingested into a memory of its own, turn by turn, with its speaker,
session and date. A line is everything said about one subject and predicate; it counts as contested when people's
statements about it contradict each other at any instant. `--show` prints each contested line with its sides.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from locomo import DATE
from measure import publish, reader

from hornbook.memory import Memory


def turns(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The turns of a conversation as arguments of `Memory.ingest`."""
    number = 1
    while f"session_{number}" in conversation or f"session_{number}_date_time" in conversation:
        name = f"session_{number}"
        at = said_at(conversation.get(f"{name}_date_time", ""))
        for place, turn in enumerate(conversation.get(name, ())):
            yield {
                "content": turn["text"],
                "speaker": turn["speaker"],
                "role": "participant",
                "session": name,
                "position": place,
                "occurred_at": at,
            }
        number += 1


def said_at(text: str) -> datetime | None:
    """When a session was held."""
    found = DATE.search(text)
    if found is None:
        return None
    hour, minute, half, day, month, year = found.groups()
    clock = f"{int(hour) % 12 + 12 * (half.lower() == 'pm')}:{minute} {day} {month.title()} {year}"
    return datetime.strptime(clock, "%H:%M %d %B %Y").replace(tzinfo=UTC)


def row(name: str, memory: Memory) -> dict[str, Any]:
    """What is to be told about one conversation."""
    lines = memory._store.journal.head() and count_of_lines(memory)
    contested = len(contested_lines(memory))
    return {
        "conversation": name,
        "episodes": memory.stats()["episodes"],
        "claims": memory.stats()["claims"],
        "lines": lines,
        "contested": contested,
        "contested %": round(100 * contested / max(lines, 1), 2),
    }


def count_of_lines(memory: Memory) -> int:
    """The lines that have a claim."""
    store = memory._store
    with store.reading() as reading:
        text = "MATCH (l:Line)-[:OnLine]->(:Claim) RETURN count(DISTINCT l.id)"
        return int(store.asked(reading.snapshot, lambda view: view.rows(text))[0][0])


def contested_lines(memory: Memory) -> list[dict[str, Any]]:
    """Every contested line, as a reply shows it."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page = memory.contested(200, cursor).as_dict()
        found += page["lines"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def show(line: dict[str, Any]) -> None:
    """Print a contested line with what was said for each of its sides."""
    print(f"{line['subject']} | {line['predicate']} | {line['disputed']}")
    for side in line["sides"]:
        quotes = [f"{one.get('speaker')}: {one.get('quote')}" for one in side["evidence"]]
        print(f"    {side['polarity']} {side['value']!r} {side.get('valid_from_display', '')} <- {quotes}")


def main() -> None:
    """Ingest the conversations of a file one after the other, and print the table."""
    parser = reader(__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", help="numbers of conversations, by commas")
    parser.add_argument("--show", action="store_true", help="print the contested lines")
    given = parser.parse_args()
    every: Sequence[dict[str, Any]] = json.loads(given.file.read_text())
    wanted = range(len(every)) if given.only is None else [int(number) for number in given.only.split(",")]
    rows = []
    for number in wanted:
        with Memory.open(":memory:", user="reader") as memory:
            for turn in turns(every[number]["conversation"]):
                memory.ingest(**turn)
            rows.append(row(str(every[number].get("sample_id", number)), memory))
            for line in contested_lines(memory) if given.show else ():
                show(line)
    total = {key: sum(one[key] for one in rows) for key in ("episodes", "claims", "lines", "contested")}
    share = {"contested %": round(100 * total["contested"] / max(total["lines"], 1), 2)}
    publish([*rows, {"conversation": "all", **total, **share}], given.json)


if __name__ == "__main__":
    main()
