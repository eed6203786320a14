"""How fast what rules derive is copied into the graph view, and how fast it is withdrawn.

A memory of people with rivers of follows: the rules give a stated number of conclusions. Printed: the first copy, one
claim added and one ended with what it takes along, a write that changes nothing, and a search before and after.

    python benchmarks/derived.py [--conclusions 1000,10000,19000]
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from typing import Any

from hornbook.memory import Memory
from hornbook.reasoning.copied import copy_into_view

CHAIN = 4  # people in a chain: each chain gives 6 conclusions of the closure
RULES = "knows(x, y) :- follows(x, y).\nknows(x, z) :- knows(x, y), follows(y, z)."


def filled(where: str, conclusions: int) -> Memory:
    """A memory from which about so many conclusions follow."""
    memory = Memory.open(where, user="ana")
    chains = conclusions // (CHAIN * (CHAIN - 1) // 2)
    claims = [
        {"subject": f"p{chain} s{step}", "predicate": "follows", "value": f"p{chain} s{step + 1}", "valid_from": "2020"}
        for chain in range(chains)
        for step in range(CHAIN - 1)
    ]
    for claim in claims:
        memory.claim(claim["subject"], "follows", claim["value"], valid_from="2020")
    memory.rules(RULES)
    return memory


def timed(name: str, act: Callable[[], Any]) -> None:
    """Print how long something took, in wall and CPU milliseconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    told = act()
    wall, cpu = (time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3
    print(f"  {name:<44} {wall:9.1f} ms wall {cpu:9.1f} ms CPU  {told}")


def copied(memory: Memory) -> Any:
    """Bring the derived view up to date, then the copy."""
    with memory._store.reading() as reading, memory._derived.at(reading) as current:
        return copy_into_view(reading, current)


def brought_up(memory: Memory) -> int:
    """Bring the derived view up to date alone."""
    with memory._store.reading() as reading, memory._derived.at(reading) as current:
        return len(current.compiled.heads)


def measure(conclusions: int) -> None:
    """One size."""
    with tempfile.TemporaryDirectory() as folder, filled(f"{folder}/ana.hornbook", conclusions) as memory:
        print(f"{conclusions} conclusions")
        timed("derive from nothing", lambda: brought_up(memory))
        timed("copy all", lambda: copied(memory))
        timed("nothing has changed", lambda: copied(memory))
        memory.store("The ferry leaves at six.")
        timed("a write that changes nothing derived", lambda: copied(memory))
        memory.claim("p0 s3", "follows", "p1 s0", valid_from="2020")
        timed("one claim more: derive", lambda: brought_up(memory))
        timed("one claim more: copy", lambda: copied(memory))
        memory.claim("p0 s3", "follows", "p1 s0", polarity="not", valid_from="2020", intent="update")
        timed("one claim denied: derive", lambda: brought_up(memory))
        timed("one claim denied: copy", lambda: copied(memory))
        timed("a search", lambda: len(memory.search("Whom does p5 s0 know?").hits))
        timed("the same again", lambda: len(memory.search("Whom does p5 s0 know?").hits))
        (rule,) = (rule for rule in memory.list_rules() if "z" in rule.text)
        memory.remove_rule(rule.rule_id)
        timed("half of the rules removed: derive", lambda: brought_up(memory))
        timed("half of the rules removed: copy", lambda: copied(memory))


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conclusions", default="1000,10000,19000")
    for size in parser.parse_args().conclusions.split(","):
        measure(int(size))


if __name__ == "__main__":
    main()
