"""A visit: one request, with the memory as it stands at one instant, and the addresses that lead on from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from hornbook.display.markup import Markup
from hornbook.graph.errors import InvalidArgument, TooLarge
from hornbook.memory import Memory

CLOCKS = ("valid_at", "known_at")
LONGEST = 2_000  # characters of an argument, unless a page says otherwise
END = str(10**17)  # a cursor after every change: what comes with its answer is how far the memory has come


@dataclass(frozen=True, slots=True)
class Page:
    """What a page has to say: its title, its content, and which part of the site it stands in."""

    title: str
    main: Markup
    part: str = ""
    status: int = 200
    graph: bool = False  # whether a picture of the graph is drawn in it


@dataclass(frozen=True, slots=True)
class Form:
    """What a form that writes carries: the secret of this session, so that no other page can send it."""

    secret: str


@dataclass(frozen=True, slots=True)
class Visit:
    """One request. Everything that a page reads of the memory is as known at `as_known`, whoever writes meanwhile."""

    memory: Memory
    path: str
    given: Mapping[str, str]
    now: str
    as_known: str
    head: int
    form: Form | None = None  # None: this session only reads

    @property
    def valid_at(self) -> str:
        """When it is true, as the address says it; empty for now."""
        return self.given.get("valid_at", "").strip()

    @property
    def known_at(self) -> str:
        """As of when it is known, as the address says it; empty for now."""
        return self.given.get("known_at", "").strip()

    @property
    def known(self) -> dict[str, Any]:
        """The known instant of every read."""
        return {"knowledge_at": self.known_at or self.as_known}

    @property
    def clocks(self) -> dict[str, Any]:
        """Both instants of every read. With a known instant alone it is true then, as known then."""
        return {"valid_at": self.valid_at or self.known_at or self.now, **self.known}

    def asked(self, name: str, longest: int = LONGEST) -> str:
        """An argument of the address; empty where it is missing."""
        text = self.given.get(name, "").strip()
        if len(text) > longest:
            raise TooLarge(f"{name} is longer than {longest} characters", field=name)
        return text

    def needed(self, name: str, longest: int = LONGEST) -> str:
        """An argument that the page cannot do without."""
        if not (text := self.asked(name, longest)):
            raise InvalidArgument(f"{name} is missing", field=name, hint="go to the start and follow a link")
        return text

    def number(self, name: str, default: int, most: int) -> int:
        """An argument that is a number from 1 on."""
        text = self.asked(name, 20) or str(default)
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
            raise InvalidArgument(f"{name} must be 1 to {most}", field=name, hint=f"leave it out for {default}")
        return int(text)

    def to(self, path: str, /, **arguments: object) -> str:
        """The address of a page at the same instants; an argument that is None or empty is left out."""
        clocks = {name: self.given[name] for name in CLOCKS if self.given.get(name, "").strip()}
        said = {name: str(value) for name, value in {**arguments, **clocks}.items() if value not in (None, "")}
        return f"{path}?{urlencode(said)}" if said else path

    def here(self, **changed: object) -> str:
        """The address of this page with some arguments changed; None takes one out."""
        said = {name: value for name, value in {**self.given, **changed}.items() if value not in (None, "")}
        return f"{self.path}?{urlencode(said)}" if said else self.path

    @property
    def lasting(self) -> str:
        """The address at which this page will always be as it is now."""
        return self.here(valid_at=self.clocks["valid_at"], known_at=self.known_at or self.as_known)


def visit(memory: Memory, path: str, given: Mapping[str, str], form: Form | None) -> Visit:
    """A visit to a memory as it stands now."""
    end = memory.changes(cursor=END, limit=1)
    return Visit(memory, path, given, memory.now, end.as_known, int(end.next_cursor), form)
