"""A process that writes to a memory: `writer.py WHERE NAME COUNT [ingest]`. Says each id once it is acknowledged.

At the end it compares its own view with a rebuilt one and says `sound` or `unsound`.
"""

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # as pytest does for its own process
warnings.filterwarnings("ignore", "The use of separate prepare", DeprecationWarning)

from tests.processes.kit import EMBEDDER, MOVED, is_sound, memory_of  # noqa: E402  after the path is set

from hornbook.graph.retrieval.embed import MiniLM  # noqa: E402
from hornbook.memory import Memory  # noqa: E402


def write(memory: Memory, name: str, turn: int, kind: str) -> str:
    """Write one thing of many kinds; what it is, and its id."""
    if kind == "ingest":
        told = memory.ingest(MOVED, speaker=f"{name}{turn % 7}", session=name, source=name, position=turn)
        return f"node:{told.event_id}"
    if turn % 3 == 1:
        claim = memory.claim(f"{name}{turn % 5}", "lives_in", f"town {turn}", source=f"letter {turn}")
        return f"claim:{claim.claim_ref}"
    return f"node:{memory.store(f'{name} notes turn {turn}', speaker=name, session=name).node_id}"


def main(where: str, name: str, count: str, kind: str = "all") -> None:
    """Write, then look at the view."""
    # beside a server, which has the model that is shipped
    with memory_of(Path(where), embedder=MiniLM() if kind == "ingest" else EMBEDDER) as memory:
        print("ready", flush=True)
        for turn in range(int(count)):
            print(write(memory, name, turn, kind), flush=True)
        sys.stdin.readline()  # until the others have ended
        print("sound" if is_sound(memory) else "unsound", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
