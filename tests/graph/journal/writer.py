"""A process that writes to a journal and says each seq once it is acknowledged: `writer.py PATH NAME COUNT [pack]`."""

import sys
from pathlib import Path

from hornbook.graph.clock import system_clock
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Journal


def main(path: str, name: str, count: int, pack: bool) -> None:
    """Write so many events, each with a document, a key and a number, one transaction an event."""
    words = Vocabulary({"said": 1}, {})
    with Journal.open(Path(path), clock=system_clock, pack=pack, vocabulary=words) as journal:
        print("ready", flush=True)
        for turn in range(count):
            ref = f"{name}-{turn}"
            with journal.writing(Actor(process=name)) as tx:
                seq = tx.append("said", {"text": ref, "filler": "x" * 500})
                tx.add_document(ref, "memory", seq, f"{name} says item{turn}")
                tx.remember(ref, ref)
                tx.number(ref)
            print(seq, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), "pack" in sys.argv)
