"""A process that makes claims on one line: `claimer.py WHERE NAME COUNT`. Says each ref once it is acknowledged.

When it is told that the others have ended, it says as JSON what it believes of the line, and whether its view is right.
"""

import json
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # as pytest does for its own process
warnings.filterwarnings("ignore", "The use of separate prepare", DeprecationWarning)

from tests.processes.kit import is_sound, memory_of  # noqa: E402  after the path is set

from hornbook.memory import Memory  # noqa: E402

LINE = ("Dora", "desk_number")
VALUES = 3  # that each process says, over and over


def believed(memory: Memory) -> dict[str, Any]:
    """What a memory says of the line, with every claim of it and how it stands."""
    told = memory.history(*LINE)
    belief = memory.believe(*LINE, valid_at="2030").as_dict()
    sides = [(one["fact"]["value"], one["currency_signal"]["evidence_count"]) for one in belief["alternatives"]]
    claims = {one.claim_ref: [one.held.state.disposition.value, list(one.held.state.rivals)] for one in told}
    return {"status": belief["status"], "sides": sides, "markers": belief["markers"], "claims": claims}


def main(where: str, name: str, count: str) -> None:
    """Claim, wait, and tell."""
    with memory_of(Path(where)) as memory:
        print("ready", flush=True)
        for turn in range(int(count)):
            claim = memory.claim(*LINE, f"{name}-{turn % VALUES}", source=f"{name} {turn}")
            print(claim.claim_ref, flush=True)
        sys.stdin.readline()  # until the others have ended
        print(json.dumps({**believed(memory), "sound": is_sound(memory)}, sort_keys=True), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
