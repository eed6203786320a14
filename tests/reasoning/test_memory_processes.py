"""Two processes on one store, and threads of one: a rule that one adds is in force for the other."""

import subprocess
import sys
import threading
from pathlib import Path

from hornbook.memory import Memory

OTHER = """
import sys
from hornbook.memory import Memory
with Memory.open(sys.argv[1], user="ana") as memory:
    assert memory.ask("lives_in(x, y)").rows == (("Ana", "Munich"),)
    memory.claim("Munich", "located_in", "Germany", valid_from="1900")
    memory.rules("in_country(x, c) :- lives_in(x, y), located_in(y, c).")
"""


def test_a_rule_added_by_one_process_is_in_force_for_the_other(tmp_path: Path) -> None:
    where = str(tmp_path / "ana.hornbook")
    with Memory.open(where, user="ana") as memory:
        memory.claim("Ana", "lives_in", "Munich", valid_from="2020")
        memory.rules("resident(x) :- lives_in(x, _).")
        assert (("Ana",),) == memory.ask("resident(x)").rows

        subprocess.run([sys.executable, "-c", OTHER, where], check=True, timeout=120)

        assert (("Ana", "Germany"),) == memory.ask("in_country(x, c)").rows
        assert 2 == len(memory.list_rules())


def test_threads_ask_and_write_at_once_and_lose_nothing() -> None:
    with Memory.open(":memory:", user="ana") as memory:
        memory.rules("knows(x, y) :- follows(x, y).\nknows(x, z) :- knows(x, y), follows(y, z).")
        memory.claim("n0", "follows", "n1")
        failed: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for step in range(4):
                    memory.claim(f"n{number * 4 + step + 1}", "follows", f"n{number * 4 + step + 2}")
                    assert memory.ask('knows("n0", x)').rows
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)

        assert [] == failed
        assert 13 == len(memory.ask('knows("n0", x)').rows)
