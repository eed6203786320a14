"""The ways in which events become a graph all give one graph."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.histories import UNSHRUNK, ListJournal, histories, history
from tests.graph.view.dump import Dump, dump, dump_rows

from hornbook.graph.events import KINDS, Actor, Event
from hornbook.graph.view import open_view
from hornbook.graph.view.advance import advance
from hornbook.graph.view.catch_up import by_statements, fill
from hornbook.graph.view.engine import Engine
from hornbook.graph.view.fold import folded
from hornbook.graph.view.gather import gathered
from hornbook.graph.view.project import PROJECTIONS

Fill = Callable[[Engine, list[Event]], object]


def filled(path: Path | None, fill: Fill, events: list[Event]) -> Dump:
    engine = Engine(path)
    try:
        fill(engine, events)
        return dump(engine)
    finally:
        engine.close()


def one_by_one(engine: Engine, events: list[Event]) -> None:
    engine.begin()
    by_statements(engine, events)
    engine.commit()


def copied(engine: Engine, events: list[Event]) -> None:
    fill(engine, gathered(events), "journal-1", len(events), b"hash")


@settings(max_examples=8, deadline=None, phases=UNSHRUNK)
@given(histories())
def test_statements_and_copies_in_memory_give_the_folded_rows(events: list[Event]) -> None:
    expected = dump_rows(folded(events))

    assert expected == filled(None, one_by_one, events)
    assert expected == filled(None, copied, events)


@settings(max_examples=4, deadline=None, phases=UNSHRUNK)
@given(histories())
def test_statements_and_copies_on_disk_give_the_folded_rows(events: list[Event]) -> None:
    expected = dump_rows(folded(events))

    with TemporaryDirectory() as folder:
        assert expected == filled(Path(folder, "a"), one_by_one, events)
        assert expected == filled(Path(folder, "b"), copied, events)


@settings(max_examples=8, deadline=None, phases=UNSHRUNK)
@given(histories(150), st.integers(0, 150))
def test_a_view_advanced_in_bulk_is_the_one_built_at_once(events: list[Event], first: int) -> None:
    def in_two(engine: Engine, events: list[Event]) -> None:
        one_by_one(engine, events[:first])
        engine.begin()
        advance(engine, events[first:])
        engine.commit()

    assert dump_rows(folded(events)) == filled(None, in_two, events)


@settings(max_examples=8, deadline=None, phases=UNSHRUNK)
@given(histories(120), st.lists(st.integers(0, 120), max_size=4))
def test_a_view_caught_up_in_steps_is_the_one_built_at_once(events: list[Event], stops: list[int]) -> None:
    journal = ListJournal(events)
    view = open_view(None, journal)
    try:
        for stop in (*sorted(stops), journal.head):
            view.catch_up(journal, stop)
        assert journal.head == view.seq
        assert dump_rows(folded(events)) == dump(view)
    finally:
        view.close()


def test_every_kind_of_event_is_in_the_random_histories_and_shown_or_known_not_to_be() -> None:
    made = {event.kind for seed in range(6) for event in history(random.Random(seed), 200)}

    notes = {"transaction.undone", "event.redacted", "erasure.recorded"}  # about the journal itself
    assert set(KINDS) == made | {"extraction.failed"} | notes
    assert not notes & set(PROJECTIONS)
    assert {"recall.detected"} == made - set(PROJECTIONS)


def test_an_erased_event_and_an_unknown_kind_show_nothing() -> None:
    erased = Event(1, 1, 1, "e", "", "entity.recorded", 1, Actor(), None)
    unknown = Event(2, 2, 2, "f", "", "moon.risen", 1, Actor(), {})

    assert dump_rows(folded([])) == dump_rows(folded([erased, unknown]))


def test_nothing_heavy_is_imported_with_the_room() -> None:
    import subprocess

    code = (
        "import sys, hornbook.graph.view; sys.exit(any(name in sys.modules for name in ('kuzu', 'pyarrow', 'numpy')))"
    )
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
