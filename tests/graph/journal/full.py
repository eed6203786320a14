"""A process whose files may not grow past a limit, as on a full disk: `full.py PATH`. Says what a writer was told."""

import resource
import signal
import sys
from pathlib import Path

from hornbook.graph.clock import ticking
from hornbook.graph.errors import StoreError
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Journal, verify


def main(path: str) -> None:
    """Write until it does not fit; then look what is there, and write something small."""
    journal = Journal.open(Path(path), clock=ticking(), vocabulary=Vocabulary({"said": 1}, {}))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
    written = 0
    try:
        while True:
            with journal.writing(Actor()) as tx:
                tx.append("said", {"text": "x" * 300_000})
            written += 1
    except StoreError as error:
        print(type(error).__name__, error.message)
    print(written == journal.head() > 0, verify(journal) is None)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    journal.close()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    main(sys.argv[1])
