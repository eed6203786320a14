"""The tables beside the log: documents, vectors, keys and numbers; and what erasure leaves of all."""

from pathlib import Path

import numpy as np
import pytest

from hornbook.graph.clock import ticking
from hornbook.graph.errors import Conflict, InvalidArgument, NotFound
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Document, Journal, Model, verify

WORDS = Vocabulary({"said": 1}, {})
MODEL = Model("small", "abc", 4)


def add(journal: Journal, ref: str, text: str, vector: list[float] | None = None) -> int:
    """One document in a transaction of its own."""
    with journal.writing(Actor()) as tx:
        tx.use_model(MODEL)
        seq = tx.append("said", {"text": text})
        row = None if vector is None else np.array(vector, np.float32)
        return tx.add_document(ref, "memory", seq, text, row, {"speaker": "Ana", "mood": "calm"})


def test_a_document_is_read_with_all_its_facets(journal: Journal) -> None:
    id_ = add(journal, "m1", "tea")
    expected = Document(id_, "m1", "memory", 1, {"speaker": "Ana", "mood": "calm"})
    with journal.reading() as snap:
        assert expected == snap.document_of("m1") == snap.documents([id_, 99])[id_]
        assert snap.document_of("m2") is None


def test_vectors_are_read_on_from_a_mark(journal: Journal) -> None:
    one = add(journal, "m1", "tea", [1, 0, 0, 0])
    two = add(journal, "m2", "milk")
    with journal.reading() as snap:
        first = snap.vectors()
        assert ([one], [two]) == (first.documents.tolist(), snap.without_vector())
    with journal.writing(Actor()) as tx:
        tx.put_vector(one, np.array([0, 1, 0, 0]))
        tx.put_vector(two, np.array([0, 0, 0.5, 0]))
    with journal.reading() as snap:
        more = snap.vectors(first.mark)
        assert [one, two] == more.documents.tolist()
        assert [[0, 1, 0, 0], [0, 0, 0.5, 0]] == more.matrix.tolist()
        assert np.float16 == more.matrix.dtype  # as stored
        assert (0, 4) == snap.vectors(more.mark).matrix.shape


def test_vectors_of_two_models_are_never_mixed(journal: Journal) -> None:
    one = add(journal, "m1", "tea", [1, 0, 0, 0])
    other = Model("large", "def", 2)
    with pytest.raises(Conflict, match="small"), journal.writing(Actor()) as tx:
        tx.use_model(other)
    with journal.writing(Actor()) as tx:
        tx.use_model(other, replace=True)
    with journal.reading() as snap:
        assert (other, 0, [one]) == (snap.model(), len(snap.vectors().documents), snap.without_vector())


@pytest.mark.parametrize("vector", [[1.0], [1, 0, 0, float("nan")], [1e9, 0, 0, 0]])
def test_a_vector_that_is_none_is_refused(journal: Journal, vector: list[float]) -> None:
    with pytest.raises(InvalidArgument, match="4 finite numbers"):
        add(journal, "m1", "tea", vector)
    assert 0 == journal.head()


def test_a_vector_needs_a_model(journal: Journal) -> None:
    with pytest.raises(Conflict, match="no model"), journal.writing(Actor()) as tx:
        tx.put_vector(1, np.zeros(4))


def test_a_key_keeps_its_first_meaning(journal: Journal) -> None:
    with journal.writing(Actor()) as tx:
        tx.append("said", {})
        tx.remember("key", "m1")
        tx.remember("key", "m2")
        assert "m1" == tx.recalled("key")
    assert ("m1", None) == (journal.recalled("key"), journal.recalled("other"))


def test_a_number_belongs_to_one_thing_for_ever(journal: Journal) -> None:
    with journal.writing(Actor()) as tx:
        assert [1, 2, 1] == [tx.number(ref) for ref in ("m1", "m2", "m1")]
    assert ("m2", None) == (journal.ref_of(2), journal.ref_of(3))
    with journal.reading() as snap:
        assert {"m1": 1, "m2": 2} == snap.numbers_of(["m2", "m1", "m3"])


def test_numbers_that_sqlite_cannot_hold_are_refused(journal: Journal) -> None:
    with journal.reading() as snap, pytest.raises(InvalidArgument):
        snap.ref_of(2**70)


def test_erasing_leaves_the_chain_and_nothing_else(tmp_path: Path, journal: Journal) -> None:
    secret = "xyzzyplugh"
    add(journal, "m1", f"the word is {secret}", [1, 0, 0, 0])
    add(journal, "m2", "tea", [0, 1, 0, 0])
    with journal.writing(Actor()) as tx:
        assert 1 == tx.erase([1, 77], lambda document: {"m2": "tea"}[document.ref])
    with journal.reading() as snap:
        gone, kept = snap.events()
        assert gone.body is None and kept.body == {"text": "tea"}
        assert ([], None, 1) == (snap.lexical(secret, 5), snap.document_of("m1"), len(snap.lexical("tea", 5)))
        assert [2] == snap.vectors().documents.tolist()
    assert verify(journal) is None
    assert journal.vacuum()
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes(), file.name


def test_an_erasure_that_cannot_index_the_rest_changes_nothing(journal: Journal) -> None:
    add(journal, "m1", "tea")
    add(journal, "m2", "milk")
    with pytest.raises(NotFound), journal.writing(Actor()) as tx:
        tx.erase([1], lambda document: None)
    with journal.reading() as snap:
        assert ["tea", "milk"] == [event.body and event.body["text"] for event in snap.events()]
        assert 1 == len(snap.lexical("tea", 5))


def test_a_reader_on_the_old_pages_is_told_of_by_vacuum(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db", clock=ticking(), vocabulary=WORDS) as journal:
        add(journal, "m1", "tea")
        with journal.reading():
            assert not journal.vacuum()
        assert journal.vacuum()
