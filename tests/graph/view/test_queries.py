"""Questions give what a plain reading of the history gives, and the same for ever at a fixed position."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.histories import UNSHRUNK, ListJournal, histories, history

from hornbook.graph.events import Event
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.view import GraphView, open_view, queries

Asking = Callable[[GraphView, int], Any]


def ids(events: list[Event], kind: str, key: str = "id") -> list[str]:
    return [event.body[key] for event in events if event.kind == kind and event.body is not None]


def written(events: list[Event]) -> dict[str, Any]:
    claims = [event.body["claim"] for event in events if event.kind == "claim.recorded" and event.body]
    return {claim["id"]: claim for claim in claims}


def questions(events: list[Event]) -> dict[str, Asking]:
    """Every question, about everything that the history speaks of."""
    claims = [event.body["claim"]["id"] for event in events if event.kind == "claim.recorded" and event.body]
    items = ids(events, "episode.recorded") + ids(events, "memory.recorded")
    entities = ids(events, "entity.recorded")
    lines = [f"{entity}|{predicate}" for entity in entities for predicate in ("lives_in", "married_to")]
    return {
        "entities": lambda v, s: [queries.entity(v, id_, s) for id_ in entities],
        "names": lambda v, s: [queries.names_of(v, id_, s) for id_ in entities],
        "known_names": lambda v, s: queries.known_names(v, s),
        "by_name": lambda v, s: [queries.entity_by_name(v, key, s) for key in queries.known_names(v, s)],
        "lines": lambda v, s: [queries.line(v, line, s) for line in lines],
        "live": lambda v, s: [queries.live_on(v, line, 10**15, 2 * 10**15, s) for line in lines],
        "read": lambda v, s: [queries.read_on(v, line, 10**15, s) for line in lines],
        "same": lambda v, s: [queries.same_value(v, line, '"oslo"', s) for line in lines],
        "line_ids": lambda v, s: [queries.line_ids_of(v, id_, s) for id_ in entities],
        "contested": lambda v, s: queries.contested_claims(v, s),
        "claims": lambda v, s: queries.claims(v, claims, s),
        "dependents": lambda v, s: queries.dependents(v, claims[:3], s),
        "premises": lambda v, s: [queries.premises(v, id_, s) for id_ in claims],
        "items": lambda v, s: queries.items(v, items, s),
        "of_claim": lambda v, s: [queries.items_of_claim(v, id_, s) for id_ in claims],
        "of_items": lambda v, s: queries.claims_of_items(v, items, s),
        "memories": lambda v, s: [queries.memories_of_episode(v, id_, s) for id_ in items],
        "sessions": lambda v, s: [queries.last_in_session(v, name, s) for name in ("s1", "s2|x", "no")],
        "notes": lambda v, s: [queries.notes(v, kind, s) for kind in ("predicate", "contest", "question", "rule")],
        "counts": lambda v, s: queries.counts(v, s),
        "items_page": lambda v, s: queries.items_page(v, s, limit=7),
        "entities_page": lambda v, s: queries.entities_page(v, s, after=3, limit=7),
        "graph": lambda v, s: queries.graph_rows(v, s, written(events)),
        "walk": lambda v, s: queries.walk(v, entities[:2], items[:2], s, hops=2, most=30),
    }


def answers(view: GraphView, asked: dict[str, Asking], upto: int) -> dict[str, Any]:
    return {name: ask(view, upto) for name, ask in asked.items()}


@settings(max_examples=6, deadline=None, phases=UNSHRUNK)  # every example builds a view: shrinking takes minutes
@given(histories(50), st.integers(1, 50))
def test_answers_at_a_position_stay_as_they_were_while_more_is_recorded(events: list[Event], upto: int) -> None:
    journal, asked = ListJournal(events), questions(events)
    upto = min(upto, journal.head)
    view = open_view(None, journal)
    try:
        view.catch_up(journal, upto)
        then = answers(view, asked, upto)
        view.catch_up(journal)
        now = answers(view, asked, upto)
        assert [] == [name for name in asked if then[name] != now[name]]
    finally:
        view.close()


def view_of(events: list[Event]) -> GraphView:
    journal = ListJournal(events)
    view = open_view(None, journal)
    view.catch_up(journal)
    return view


def states(events: list[Event], upto: int) -> dict[str, Any]:
    """Of every claim the state at a position, read off the events."""
    found: dict[str, Any] = {}
    for event in events[:upto]:
        if event.body is not None and event.kind == "claim.recorded":
            found[event.body["claim"]["id"]] = event.body["state"]
        if event.body is not None and event.kind == "claim.changed":
            found[event.body["claim"]] = event.body["state"]
    return found


def test_the_state_of_a_claim_is_the_last_one_known() -> None:
    events = history(random.Random(3), 150)
    view = view_of(events)
    for upto in (40, 90, len(events)):
        expected = states(events, upto)
        assert expected == {row.id: json.loads(row.state) for row in queries.claims(view, expected, upto)}
        live = [state for state in expected.values() if state["live"]]
        contested = [state for state in live if state["disposition"] in queries.OPEN_CONTESTS]
        counted = queries.counts(view, upto)
        assert (len(expected), len(live), len(contested)) == tuple(
            counted[name] for name in ("claims", "live", "contested")
        )
    view.close()


def test_live_claims_are_those_of_the_line_that_are_live_and_touch_the_window() -> None:
    events = history(random.Random(4), 200)
    view = view_of(events)
    for upto in (120, len(events)):
        for line in {line for id_ in ids(events, "entity.recorded") for line in queries.line_ids_of(view, id_, upto)}:
            known = [row for row in queries.line(view, line, upto) if json.loads(row.state)["live"]]
            assert tuple(known) == queries.live_on(view, line, ALWAYS, FOREVER, upto)
            narrow = queries.live_on(view, line, 10**15, 10**15, upto)
            assert set(narrow) <= set(known)
    view.close()


def test_a_line_read_claim_by_claim_is_the_line_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    events = history(random.Random(8), 200)
    view, asked = view_of(events), questions(events)
    for upto in (100, len(events)):
        monkeypatch.setattr("hornbook.graph.view.claims.FEW", 1_000)
        one_by_one = answers(view, asked, upto)
        monkeypatch.setattr("hornbook.graph.view.claims.FEW", 0)
        assert one_by_one == answers(view, asked, upto)
    view.close()


def test_contested_claims_are_paged_by_position() -> None:
    events = history(random.Random(5), 250)
    view = view_of(events)
    whole = queries.contested_claims(view, len(events))
    first = queries.contested_claims(view, len(events), limit=2)
    rest = queries.contested_claims(view, len(events), after=first[-1].seq)

    assert len(whole) > 3
    assert whole[:2] == first
    assert tuple(row for row in whole if row.seq > first[-1].seq) == rest
    view.close()


def claim_on(events: list[Event], id_: str, *premises: str) -> Event:
    """The history's first claim again, under another id, resting on others."""
    first = next(event.body for event in events if event.kind == "claim.recorded" and event.body)
    body = {**first, "claim": {**first["claim"], "id": id_, "derived_from": list(premises)}, "repeats": None}
    seq = len(events) + 1
    return Event(seq, 1, 1, id_, "", "claim.recorded", 1, events[0].actor, body)


def test_what_rests_on_a_claim_is_found_with_the_chain_that_leads_there() -> None:
    events = history(random.Random(1), 30)
    for id_, premises in (("a", ()), ("b", ("a",)), ("c", ("b",)), ("d", ("a", "c"))):
        events.append(claim_on(events, id_, *premises))
    view = view_of(events)
    found = {row.id: row.chain for row in queries.dependents(view, ["a"], len(events))}

    assert {"b": ("a", "b"), "d": ("a", "d"), "c": ("a", "b", "c")} == found
    assert ("a", "c") == queries.premises(view, "d", len(events))
    view.close()


def test_a_name_that_two_bear_gives_both_and_a_merge_gives_one() -> None:
    events = history(random.Random(2), 200)
    view = view_of(events)
    for upto in range(1, len(events), 20):
        for key, bearers in queries.known_names(view, upto).items():
            assert bearers == tuple(row.id for row in queries.entity_by_name(view, key, upto))
            assert all(key in queries.names_of(view, bearer, upto) for bearer in bearers)
    view.close()


def test_a_walk_says_how_far_each_item_is_and_when_it_was_cut() -> None:
    events = history(random.Random(6), 150)
    view = view_of(events)
    start = ids(events, "episode.recorded")[:2]
    whole = queries.walk(view, [], start, len(events), hops=3, most=10_000)
    short = queries.walk(view, [], start, len(events), hops=3, most=3)

    assert dict.fromkeys(start, 0) == {id_: hops for id_, hops in whole.items.items() if hops == 0}
    assert not whole.truncated
    assert short.truncated
    assert set(short.items) < set(whole.items)
    assert {edge.kind for edge in whole.edges} <= {"mentions", "says", "about", "evidence", "joins"}
    view.close()


def test_the_exported_graph_has_both_ends_of_every_edge() -> None:
    events = history(random.Random(7), 150)
    view = view_of(events)
    rows = queries.graph_rows(view, len(events), written(events))
    nodes = {id_ for id_, _ in rows.nodes}

    assert all(source in nodes and target in nodes for source, target, _, _ in rows.edges)
    view.close()
