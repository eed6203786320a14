"""A copy is the journal at one instant, in one file."""

from pathlib import Path

import pytest

from hornbook.graph.clock import ticking
from hornbook.graph.errors import Conflict, StoreError
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Journal, copy, forked, tables_sound, verify

WORDS = Vocabulary({"said": 1}, {})


def say(journal: Journal, text: str) -> None:
    with journal.writing(Actor()) as tx:
        tx.add_document(text, "memory", tx.append("said", {"text": text}), text)


def test_a_copy_holds_everything_and_is_a_pack(journal: Journal, tmp_path: Path) -> None:
    say(journal, "tea")
    target = tmp_path / "copy" / "ana.hornbook"
    target.parent.mkdir()
    copy(journal, target)
    say(journal, "later")
    assert [target] == list(target.parent.iterdir())
    with Journal.open(target, clock=ticking(), pack=True, vocabulary=WORDS) as other, other.reading() as snap:
        assert (journal.id, 1, 1) == (other.id, snap.head, len(snap.lexical("tea", 5)))
        assert verify(other) is None and tables_sound(other) and not forked(journal, other)


def test_a_copy_does_not_replace_a_file_and_leaves_no_part(journal: Journal, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    target.mkdir()
    with pytest.raises(Conflict):
        copy(journal, target)
    with pytest.raises(StoreError) as told:
        copy(journal, tmp_path / "nowhere" / "ana.hornbook")
    assert str(tmp_path) not in told.value.message
    assert [] == list(tmp_path.glob("*.part"))


def test_tables_beside_the_chain_are_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path, clock=ticking(), vocabulary=WORDS) as journal:
        for turn in range(50):
            say(journal, f"turn{turn} " * 50)
        assert tables_sound(journal)
    data = bytearray(path.read_bytes())
    for page in range(4096 * 2, len(data), 4096):
        torn = data[:page] + bytes(4096) + data[page + 4096 :]
        path.write_bytes(torn)
        try:
            with Journal.open(path, clock=ticking(), vocabulary=WORDS) as journal:
                assert not tables_sound(journal)
        except StoreError:  # it could not even be opened
            continue
