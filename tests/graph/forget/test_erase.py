"""After an erasure no file holds the bytes: not the journal, its indexes, this process's view, nor another's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.processes.kit import EMBEDDER, PACKAGE
from tests.properties.acts import memory_in

from hornbook.extraction.candidate import Candidate, Extraction, Mention
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.clock import system_clock
from hornbook.graph.errors import NotFound
from hornbook.graph.events import Actor
from hornbook.graph.journal import Journal, verify
from hornbook.graph.store import Store
from hornbook.graph.view import open_view
from hornbook.memory import Memory
from hornbook.opening import cache_folder, journal_path
from hornbook.settings import read

TEXT = "Zanzibar Quokkason lives in Wombatville, says Ottokar."
SECRETS = ("Zanzibar", "Quokkason", "Wombatville", "Ottokar", "zanzibar", "quokkason", "wombatville")
SCRIPT = {
    TEXT: Extraction(
        mentions=(
            Mention("Zanzibar Quokkason", "person", 0, 18, ("Zanzibar",)),
            Mention("Wombatville", "place", 28, 39),
        ),
        candidates=(Candidate("Zanzibar Quokkason", "lives_in", "Wombatville", TEXT),),
    )
}


def memory_at(where: Path) -> Memory:
    """A memory on disk whose view is a file however small it is, in the cache folder that its settings name."""
    settings = read({"db_path": str(where / "store"), "cache_dir": str(where / "cache")}, environ={})
    path, _ = journal_path(where / "store", "ana")
    journal = Journal.open(path, clock=system_clock, owner="ana")
    cache = cache_folder(settings)
    store = Store(journal, lambda of: open_view(cache, of, in_memory_below=0), system_clock, owner="ana")
    return Memory(store, "ana", settings, EMBEDDER, ScriptedExtractor(SCRIPT), Actor("tests", "", str(os.getpid())))


def holding(where: Path) -> list[str]:
    """The files that hold a secret."""
    found = []
    for path in where.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        found += [f"{path.name}: {secret}" for secret in SECRETS if secret.encode() in data]
    return found


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory with a text to be erased, a revised record, a dispute, a merge, and things that stay."""
    with memory_at(tmp_path) as memory:
        memory.ingest(TEXT, source="letters", session="s", speaker="Ottokar", idempotency_key="k")
        memory.store("The spare key is under the blue pot.", source="notes")
        memory.claim("Ana", "lives_in", "Berlin", speaker="Ben")
        memory.store(
            "Zanzibar Quokkason likes tea.",
            source="letters",
            node_type="fact",
            subject="Zanzibar Quokkason",
            predicate="likes",
            value="Wombatville tea",
        )
        yield memory


def test_no_file_of_the_store_or_its_caches_holds_what_was_erased(memory: Memory, tmp_path: Path) -> None:
    memory.search("Zanzibar")
    assert holding(tmp_path)
    done = memory.erase(source="letters")

    assert done.pending == () and (done.episodes, done.memories, done.claims) == (2, 1, 2)
    assert holding(tmp_path) == []
    assert verify(memory._store.journal) is None
    assert {hit.kind for hit in memory.search("Zanzibar Wombatville", include_inactive=True).hits} <= {"memory"}
    assert memory.search("spare key").hits and memory.believe("Ana", "lives_in").belief.primary
    with pytest.raises(NotFound):
        memory.entity("Zanzibar Quokkason")
    memory.close()
    assert holding(tmp_path) == []


def test_what_is_left_can_be_asked_at_any_time_and_exported(memory: Memory, tmp_path: Path) -> None:
    memory.erase(source="letters")
    with memory._store.reading() as reading:
        instants = {reading.known_at(seq) for seq in range(1, reading.upto + 1)}
    from hornbook.graph.clock import rfc3339

    for at in map(rfc3339, sorted(instants)):
        memory.contested(knowledge_at=at)
        memory.search("tea", knowledge_at=at)
        memory.history("Ana", knowledge_at=at)
        memory.graph(knowledge_at=at)
    assert memory.audit(1_000).entries
    assert not any(secret in line for line in memory.export() for secret in SECRETS)
    memory.rebuild()
    assert memory.ingest(TEXT, source="letters", idempotency_key="k").status == "extracted"


def test_a_dispute_with_what_was_erased_is_over(memory: Memory, tmp_path: Path) -> None:
    memory.claim("Ana", "lives_in", "Wombatville", source="letters", speaker="Ottokar", valid_from="2020")
    memory.claim("Ana", "follows", "x", derived_from=[memory.history("Ana", "lives_in")[-1].claim_ref])
    assert memory.contested().lines
    memory.erase(source="letters")

    assert memory.contested().lines == ()
    belief = memory.believe("Ana", "lives_in").belief
    assert belief.primary and belief.primary.value == "Berlin"
    assert holding(tmp_path) == []


def test_a_merge_and_a_resolution_lose_the_words(memory: Memory, tmp_path: Path) -> None:
    memory.claim("Ana", "lives_in", "Wombatville", source="letters", speaker="Ottokar")
    memory.resolve("Ana", "lives_in", "winner", winner="Wombatville", reason="Ottokar said so")
    merged = memory.merge("Ana", "Zanzibar Quokkason", reason="Ottokar said so")
    memory.part(merged.merge_id, reason="Ottokar was wrong")
    memory.erase(source="letters")

    assert holding(tmp_path) == []
    assert memory.history("Ana")


def test_a_claim_that_rests_on_what_was_derived_from_it_stays_without_the_proof(memory: Memory, tmp_path: Path) -> None:
    memory.claim("Wombatville", "located_in", "Norway", source="letters", valid_from="1900")
    memory.claim("Ana", "works_in", "Wombatville", source="letters", valid_from="2020")
    memory.rules("works_in_country(x, c) :- works_in(x, y), located_in(y, c).")
    derived = memory.believe("Ana", "works_in_country").belief.primary
    assert derived is not None
    rests = memory.claim("Ana", "pays_tax_in", "Norway", derived_from=[derived.claim_ref], evidence="I pay in Norway")
    assert memory.claim_at(rests.claim_ref).as_dict()["pinned_proofs"]
    memory.erase(source="letters")

    assert holding(tmp_path) == []
    assert "pinned_proofs" not in memory.claim_at(rests.claim_ref).as_dict()
    belief = memory.believe("Ana", "pays_tax_in").belief
    assert belief.primary and belief.primary.value == "Norway" and "PendingReview" in belief.markers
    assert rests.claim_ref in {hit.node_id for hit in memory.search("pay in Norway").hits}


def test_a_name_that_another_text_uses_stays(memory: Memory, tmp_path: Path) -> None:
    memory.claim("Zanzibar", "likes", "chess", source="notes")
    memory.erase(source="letters")

    assert memory.believe("Zanzibar", "likes").belief.primary
    assert not [found for found in holding(tmp_path) if "anzibar" not in found]


def test_a_dry_run_counts_and_leaves_every_byte(memory: Memory, tmp_path: Path) -> None:
    before, head = len(holding(tmp_path)), memory.stats()["events"]
    tried = memory.erase(source="letters", dry_run=True)

    assert (len(holding(tmp_path)), memory.stats()["events"]) == (before, head)
    assert memory.erase(source="letters").counts == tried.counts


def test_a_reader_on_old_pages_keeps_it_pending(memory: Memory, tmp_path: Path) -> None:
    with memory_at(tmp_path) as other, other._store.journal.reading() as snapshot:
        assert snapshot.head
        assert any("reader" in why for why in memory.erase(source="letters").pending)
    assert memory.finish_erasing().pending == ()
    assert holding(tmp_path) == []


def test_what_is_left_is_carried_to_another_store(memory: Memory) -> None:
    memory.erase(source="letters")
    with memory_in() as other:
        assert other.load(memory.export()).events == memory.stats()["events"]
        assert verify(other._store.journal) is None
        assert [one.as_dict() for one in other.history("Ana")] == [one.as_dict() for one in memory.history("Ana")]
        assert other.stats() == memory.stats()


def test_a_pack_holds_nothing_of_it_either(memory: Memory, tmp_path: Path) -> None:
    memory.pack(tmp_path / "ana.hornbook")
    memory.erase(source="letters")
    with Memory.open(tmp_path / "ana.hornbook", "ana", embedder=EMBEDDER) as packed:
        assert holding(tmp_path)
        assert packed.erase(source="letters").pending == ()
        assert holding(tmp_path) == []


OTHER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.graph.forget.test_erase import memory_at
memory = memory_at(Path(sys.argv[1]))
for line in sys.stdin:
    print(len(memory.search("Zanzibar").hits), memory.stats()["claims"], flush=True)
"""


def test_another_process_throws_its_view_away_when_it_next_answers(memory: Memory, tmp_path: Path) -> None:
    root = str(Path(__file__).parents[3])
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((PACKAGE, root))}
    command = [sys.executable, "-c", OTHER, str(tmp_path), root]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ) as other:
        assert other.stdin and other.stdout

        def asked() -> str:
            assert other.stdin and other.stdout
            print("search", file=other.stdin, flush=True)
            return other.stdout.readline().split()[0]

        assert asked() != "0"
        assert any("process" in why for why in memory.erase(source="letters").pending)
        assert asked() == "0"
        assert memory.finish_erasing().pending == ()
        assert holding(tmp_path) == []
        other.stdin.close()


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from hornbook.graph.journal import Journal, Transaction
from tests.graph.forget.test_erase import memory_at
where = {"Journal": Journal, "Transaction": Transaction}[sys.argv[3].partition(".")[0]]
setattr(where, sys.argv[3].partition(".")[2], lambda *given: os.kill(os.getpid(), signal.SIGKILL))
memory_at(Path(sys.argv[1])).erase(source="letters")
"""


@pytest.mark.parametrize("moment", ["Transaction.reindex", "Journal.vacuum"])
def test_an_erasure_that_was_killed_is_finished_by_the_next(memory: Memory, tmp_path: Path, moment: str) -> None:
    root = str(Path(__file__).parents[3])
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((PACKAGE, root))}
    command = [sys.executable, "-c", KILLED, str(tmp_path), root, moment]
    ended = subprocess.run(command, env=environ, check=False)
    assert ended.returncode == -9

    memory.stats()  # this process follows, and throws its view away
    assert memory.erase(source="letters").pending == ()
    assert holding(tmp_path) == []
    assert verify(memory._store.journal) is None
    assert memory.finish_erasing().pending == ()
