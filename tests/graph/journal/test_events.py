"""What is appended can be read, at any instant, as it was recorded."""

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.clock import DAY, ticking
from hornbook.graph.errors import Conflict, Incoherent, InvalidArgument, StoreNewer
from hornbook.graph.events import Actor, Vocabulary, decode, encode
from hornbook.graph.journal import Journal, forked, verify


def say(journal: Journal, *texts: str, at: int | None = None) -> list[int]:
    """One transaction that says these texts."""
    with journal.writing(Actor(tool="say"), known_at=at) as tx:
        return [tx.append("said", {"text": text}) for text in texts]


def texts(journal: Journal) -> list[object]:
    with journal.reading() as snap:
        return [event.body and event.body["text"] for event in snap.events()]


def test_an_event_is_read_as_it_was_written(journal: Journal, actor: Actor) -> None:
    with journal.writing(actor) as tx:
        seq = tx.append("said", {"text": "tea 茶", "list": [1, None, {"deep": True}]})
    with journal.reading() as snap:
        event = snap.event(seq)
        assert event is not None
        assert {"text": "tea 茶", "list": [1, None, {"deep": True}]} == event.body
        assert (1, 1, "said", 1, actor, journal.id) == (
            *(event.seq, event.txn, event.kind, event.version, event.actor, event.origin),
        )
        assert event == snap.by_id(event.event_id)
        assert event.known_at == snap.known_at(seq)


def test_the_events_of_a_transaction_share_one_instant_and_later_ones_are_later(journal: Journal) -> None:
    say(journal, "a", "b")
    say(journal, "c")
    with journal.reading() as snap:
        first, second, third = snap.events()
        assert first.known_at == second.known_at < third.known_at
        assert [1, 1, 2] == [first.txn, second.txn, third.txn]


def test_a_clock_set_back_a_year_does_not_move_known_time_back(tmp_path: Path) -> None:
    times = iter([400 * DAY, 35 * DAY, 35 * DAY + 5])
    with Journal.open(tmp_path / "j.db", clock=lambda: next(times), vocabulary=Vocabulary({"said": 1}, {})) as journal:
        for text in "abc":
            say(journal, text)
        with journal.reading() as snap:
            assert [400 * DAY, 400 * DAY + 1, 400 * DAY + 2] == [event.known_at for event in snap.events()]


def test_an_error_in_a_transaction_leaves_nothing_behind(journal: Journal, actor: Actor) -> None:
    say(journal, "before")
    with pytest.raises(ZeroDivisionError), journal.writing(actor) as tx:
        seq = tx.append("said", {"text": "never"})
        tx.add_document("ref", "memory", seq, "never")
        tx.remember("key", "ref")
        tx.number("ref")
        raise ZeroDivisionError
    assert ["before"] == texts(journal)
    with journal.reading() as snap:
        assert (1, [], None, None, {}) == (
            *(snap.head, snap.lexical("never", 5), snap.document_of("ref"), snap.recalled("key")),
            snap.numbers_of(["ref"]),
        )
    assert [2] == say(journal, "after")
    assert verify(journal) is None


def test_a_transaction_sees_its_own_events_and_readers_do_not(journal: Journal, actor: Actor) -> None:
    say(journal, "a")
    with journal.writing(actor) as tx:
        tx.append("said", {"text": "b"})
        seq = tx.append("said", {"text": "c"}, event_id="chosen")
        found = tx.by_id("chosen")
        assert found is not None and found.seq == seq == tx.head == 3
        assert [1, 2, 3] == [event.seq for event in tx.events()]
        assert [3, 2] == [event.seq for event in tx.events(descending=True, limit=2)]
        assert [2] == [event.seq for event in tx.events(after=1, limit=1)]
        assert ["a"] == read_in_a_thread(journal)
    assert ["a", "b", "c"] == texts(journal)


def read_in_a_thread(journal: Journal) -> list[object]:
    """What another thread reads while this one writes."""
    found: list[list[object]] = []
    thread = threading.Thread(target=lambda: found.append(texts(journal)))
    thread.start()
    thread.join(20)
    return found[0]


def test_a_snapshot_does_not_move_while_others_write(journal: Journal) -> None:
    say(journal, "a")
    with journal.reading() as snap:
        say(journal, "b")
        assert (1, ["a"]) == (snap.head, [event.body and event.body["text"] for event in snap.events()])
        assert snap.event(2) is None
    assert 2 == journal.head()


def test_a_seal_fixes_the_time_before_the_commit(journal: Journal, actor: Actor) -> None:
    with journal.writing(actor) as tx:
        seq = tx.append("said", {"text": "a"})
        (event,) = tx.seal()
        assert event == tx.event(seq)
        with pytest.raises(Conflict):
            tx.append("said", {"text": "too late"})
    with journal.reading() as snap:
        assert event == snap.event(seq)


def test_the_event_known_at_an_instant_is_the_last_one_before_it(journal: Journal) -> None:
    for text in "abc":
        say(journal, text)
    with journal.reading() as snap:
        second = snap.known_at(2)
        assert [1, 2, 2, 3] == [snap.seq_at(at) for at in (second - 1, second, second + 1, 2**62)]
        assert 0 == snap.seq_at(0)


def test_pages_of_events_meet_without_gap_in_both_directions(journal: Journal) -> None:
    say(journal, *map(str, range(1200)))
    with journal.reading() as snap:
        assert list(range(1, 1201)) == [event.seq for event in snap.events()]
        assert list(range(1200, 0, -1)) == [event.seq for event in snap.events(descending=True)]
        assert list(range(101, 800)) == [event.seq for event in snap.events(100, 799)]
        assert 700 == len(list(snap.events(limit=700, kinds={"said"})))
        assert [] == list(snap.events(kinds={"unheard"})) == list(snap.events(kinds=()))


def test_an_import_keeps_its_time_and_may_not_go_back(journal: Journal) -> None:
    say(journal, "old", at=1_000)
    with pytest.raises(Incoherent), journal.writing(Actor(), known_at=1_000):
        raise AssertionError("not reached")
    with journal.reading() as snap:
        assert 1_000 == snap.known_at(1)


def test_what_cannot_be_recorded_is_refused(journal: Journal, actor: Actor) -> None:
    say(journal, "a")
    with journal.reading() as snap:
        taken = next(iter(snap.events())).event_id
    with journal.writing(actor) as tx:
        for kind, body in (
            ("sung", {}),
            ("said", {"x": float("nan")}),
            ("said", {"x": "\ud800"}),
            ("said", {"x": {1}}),
        ):
            with pytest.raises(InvalidArgument):
                tx.append(kind, body)
        with pytest.raises(Conflict):
            tx.append("said", {}, event_id=taken)
        with pytest.raises(Conflict), journal.writing(actor):
            raise AssertionError("nested writing was let in")
    assert 1 == journal.head()


def test_a_reading_that_has_ended_answers_no_more(journal: Journal) -> None:
    with journal.reading() as snap:
        pass
    with pytest.raises(Conflict):
        snap.by_id("any")


def test_old_bodies_are_read_in_the_shape_of_today(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with Journal.open(path, clock=ticking(), vocabulary=Vocabulary({"said": 1}, {})) as old:
        say(old, "tea")
    steps = {("said", 1): lambda body: {"words": body["text"]}, ("said", 2): lambda body: {"all": [body["words"]]}}
    with Journal.open(path, clock=ticking(), vocabulary=Vocabulary({"said": 3}, steps)) as new, new.reading() as snap:
        event = snap.event(1)
        assert event is not None and (3, {"all": ["tea"]}) == (event.version, event.body)
    with (
        Journal.open(path, clock=ticking(), vocabulary=Vocabulary({"said": 0}, {})) as older,
        older.reading() as snap,
        pytest.raises(StoreNewer, match="version 1"),
    ):
        snap.event(1)


def test_copies_written_apart_are_forked_and_a_prefix_is_not(tmp_path: Path) -> None:
    words = Vocabulary({"said": 1}, {})
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    with Journal.open(one, clock=ticking(), vocabulary=words) as first:
        say(first, "a")
    two.write_bytes(one.read_bytes())
    with (
        Journal.open(one, clock=ticking(), vocabulary=words) as first,
        Journal.open(two, clock=ticking(), vocabulary=words) as second,
    ):
        say(first, "b")
        assert not forked(first, second)
        say(second, "c")
        assert forked(first, second)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.text(max_size=8), json_values, max_size=4))
def test_any_json_body_survives_its_bytes(body: dict[str, object]) -> None:
    try:
        data = encode(body)
    except InvalidArgument:  # a lone surrogate is no text
        return
    assert body == decode(data)
