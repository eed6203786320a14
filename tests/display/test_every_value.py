"""Everything that a memory gives back: its line in a shell, and its display in a notebook."""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.display.reading import Read

from hornbook.display.html import DISPLAYS
from hornbook.graph.clock import ticking
from hornbook.graph.displayed import Displayed
from hornbook.memory import Memory

# such as is no value of ours: nothing, words, numbers, mappings, iterators, what another library shows
PLAIN = {
    *("alias", "backup", "close", "declare", "pack", "complete_name", "complete_predicate", "export", "judge"),
    *("health", "stats", "summary", "rebuild", "claims_frame", "lines_frame", "graph", "ingesting", "retrying"),
    *("named", "resting_on"),
}
PICTURES = {"open", "plot", "timeline", "show"}  # which draw themselves
ELEMENTS = {"div", "style", "b", "span", "table", "thead", "tbody", "tr", "th", "td", "q", "code", "ul", "li", "pre"}
HOSTILE = "<script>alert('x')</script>\n& \"quoted\" \x1b ]]>"


class Story:
    """A memory in which something has happened, told by names and words that may be anything."""

    def __init__(self, memory: Memory, folder: Path, name: str) -> None:
        self.memory, self.folder, self.name = memory, folder, name
        self.stored = memory.store(f"{name} has a spare key.", speaker=name)
        self.claim = memory.claim(name, "lives_in", "Berlin", valid_from="2020", speaker=name, evidence=name)
        self.rival = memory.claim(name, "lives_in", name, valid_from="2021", speaker="Ben", evidence="I was there.")
        memory.claim("Ben", "son", name)
        memory.claim("Ana", "sister", "Ben")
        memory.claim("Carl", "age", 7)
        memory.claim("Karl", "age", 7)
        self.rules = memory.rules("aunt(x, z) :- sister(x, y), son(y, z).")
        self.text = memory.ingest(f"Eva lives in Oslo. {name}", source="notes", speaker=name)

    def number(self) -> int:
        return self.memory.add(f"{self.name} again", infer=False)[0].record.memory_id

    def file(self) -> Path:
        file = self.folder / "notes.md"
        file.write_text(self.name, encoding="utf-8")
        return file

    def exported(self) -> list[str]:
        with Memory.open(":memory:", user=self.memory.user, clock=ticking()) as other:
            other.store(self.name)
            return list(other.export())

    def loaded(self) -> object:
        with Memory.open(":memory:", user=self.memory.user, clock=ticking()) as other:
            return other.load(self.exported())

    def brought(self) -> object:
        graph = self.folder / "memory.json"
        entity = {"type": "entity", "name": self.name, "entityType": "person", "observations": [self.name]}
        graph.write_text(json.dumps(entity), encoding="utf-8")
        return self.memory.bring(graph, "reference-server")


# of every public method a call, and what it gives back
CALLS: dict[str, Callable[[Story], object]] = {
    "add": lambda s: s.memory.add([{"role": "user", "content": s.name}]),
    "archive": lambda s: s.memory.archive(s.memory.store(f"{s.name} old").node_id),
    "ask": lambda s: s.memory.ask("aunt(x, y)"),
    "audit": lambda s: s.memory.audit(),
    "believe": lambda s: s.memory.believe(s.name, "lives_in"),
    "bring": lambda s: s.brought(),
    "changes": lambda s: s.memory.changes(),
    "claim": lambda s: s.memory.claim(s.name, "likes", s.name),
    "claim_at": lambda s: s.memory.claim_at(s.claim.claim_ref),
    "claims_of": lambda s: s.memory.claims_of(s.text.event_id),
    "contested": lambda s: s.memory.contested(),
    "context": lambda s: s.memory.context("Where is the spare key?"),
    "delete": lambda s: s.memory.delete(s.number()),
    "delete_all": lambda s: s.memory.delete_all(user=s.memory.user, dry_run=True),
    "end": lambda s: s.memory.end("Ana", "sister", "2024"),
    "entity": lambda s: s.memory.entity(s.name),
    "erase": lambda s: s.memory.erase(source="notes", dry_run=True),
    "finish_erasing": lambda s: s.memory.finish_erasing(),
    "forget": lambda s: s.memory.forget(source="notes", dry_run=True),
    "get": lambda s: s.memory.get(s.stored.node_id),
    "get_record": lambda s: s.memory.get_record(s.number()),
    "history": lambda s: s.memory.history(s.name),
    "index": lambda s: s.memory.index(),
    "ingest": lambda s: s.memory.ingest(f"Ben lives in Rome. {s.name}", speaker=s.name),
    "ingest_files": lambda s: s.memory.ingest_files(s.file(), source="a file"),
    "ingest_many": lambda s: s.memory.ingest_many([f"Ben has a dog. {s.name}", ""], source=s.name),
    "list": lambda s: s.memory.list(),
    "list_rules": lambda s: s.memory.list_rules(),
    "load": lambda s: s.loaded(),
    "merge": lambda s: s.memory.merge("Ana", "Ben", reason=s.name),
    "organize": lambda s: s.memory.organize(),
    "part": lambda s: s.memory.part(s.memory.merge("Carl", "Karl", reason=s.name).merge_id, reason=s.name),
    "promote": lambda s: s.memory.promote(s.memory.store(f"{s.name} new").node_id),
    "question": lambda s: s.memory.question(s.rival.claim_ref),
    "reconcile": lambda s: s.memory.reconcile([(s.name, "lives_in")]),
    "reembed": lambda s: s.memory.reembed(),
    "reextract": lambda s: s.memory.reextract(s.text.event_id),
    "remove_rule": lambda s: s.memory.remove_rule(s.rules.rules[0].rule_id),
    "resolve": lambda s: s.memory.resolve(s.name, "lives_in", "all", reason=s.name),
    "retry_extraction": lambda s: s.memory.retry_extraction(),
    "rules": lambda s: s.memory.rules("uncle(x, z) :- brother(x, y), son(y, z).", dry_run=True),
    "search": lambda s: s.memory.search("Where is the spare key?", explain=True),
    "search_records": lambda s: s.memory.search_records("spare key"),
    "store": lambda s: s.memory.store(s.name, node_type="fact", subject=s.name, predicate="age", value=7),
    "touched": lambda s: s.memory.touched(0),
    "undo": lambda s: s.memory.undo(),
    "update": lambda s: s.memory.update(s.number(), f"{s.name} otherwise"),
    "why": lambda s: s.memory.why('sister("Ana", "Ben")'),
}


@pytest.fixture(params=["Ana Maria", HOSTILE], ids=["plain", "hostile"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        yield Story(memory, tmp_path, request.param)


def test_every_public_method_is_here() -> None:
    public = {name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")}

    assert set() == public - set(CALLS) - PLAIN - PICTURES


def test_every_value_has_a_line_and_a_display(story: Story) -> None:
    for name, call in CALLS.items():
        given = call(story)
        for value in (given, *parts(given)):
            assert_line(value, name)
            assert_display(value, name)


def test_every_display_is_of_a_value_that_has_a_line() -> None:
    assert all(issubclass(shown, Displayed) for shown in DISPLAYS)


def parts(value: object) -> Iterator[object]:
    """The values that stand in a value."""
    if isinstance(value, tuple):
        yield from value
    for name in getattr(type(value), "__slots__", ()):
        inner = getattr(value, name)
        yield from (one for one in (inner if isinstance(inner, tuple) else (inner,)) if isinstance(one, Displayed))


def assert_line(value: object, name: str) -> None:
    line = repr(value)
    assert len(line) < 200 and line.isprintable(), (name, line)
    assert re.match(r"[A-Z]\w+\(.+\)$", line) and "object at 0x" not in line, (name, line)


def assert_display(value: Any, name: str) -> None:
    html = value._repr_html_()
    page = Read(html)
    assert page.seen <= ELEMENTS and page.attributes <= {"class"}, name
    assert page.words.strip() and "\x1b" not in page.words, name
    assert "prefers-color-scheme:dark" in html and not re.search(r"https?:|url\(|@import|src=", html), name
