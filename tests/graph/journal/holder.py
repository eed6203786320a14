"""A process that holds the write lock of a journal until its input ends: `holder.py PATH`."""

import sys
from pathlib import Path

from hornbook.graph.clock import system_clock
from hornbook.graph.events import Actor
from hornbook.graph.journal import Journal

if __name__ == "__main__":
    with Journal.open(Path(sys.argv[1]), clock=system_clock) as journal, journal.writing(Actor()):
        print("held", flush=True)
        sys.stdin.read()
