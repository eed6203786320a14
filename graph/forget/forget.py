"""Forgetting by source, session, client or episode: what deleting one memory is, for all that came from there."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from hornbook.graph.claim import Disposition
from hornbook.graph.claims.lines import claim_rows
from hornbook.graph.displayed import Displayed
from hornbook.graph.events import Actor
from hornbook.graph.forget.entities import retire_unsupported, touched_by
from hornbook.graph.forget.select import Selected, Selection, select
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.records.withdraw import GONE, resting_on, withdraw
from hornbook.graph.retrieval.standings import DELETED
from hornbook.graph.store import Store, Writing
from hornbook.graph.view import queries

REASON = "source deleted"
AT_ONCE = 16  # texts of one transaction: with their claims well below 64 items


@dataclass(frozen=True, slots=True)
class Hidden:
    """How many texts and memories were hidden, how many claims withdrawn, how many entities not offered any more."""

    episodes: int = 0
    memories: int = 0
    claims: int = 0
    entities: int = 0

    def __add__(self, other: "Hidden") -> "Hidden":
        """The two together."""
        return Hidden(
            self.episodes + other.episodes,
            self.memories + other.memories,
            self.claims + other.claims,
            self.entities + other.entities,
        )


NOTHING = Hidden()


@dataclass(frozen=True, slots=True, repr=False)
class Forgotten(Displayed):
    """What was meant, and what was hidden, in so many transactions; with `dry_run` what would be."""

    selection: Selection
    hidden: Hidden = NOTHING
    transactions: int = 0
    dry_run: bool = False

    def _told(self) -> Iterator[str]:
        yield "would hide" if self.dry_run else "hidden"
        yield from (f"{many} {what}" for what, many in asdict(self.hidden).items() if many)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        done = {"dry_run": True} if self.dry_run else {"transactions": self.transactions}
        return {"forgotten": self.selection.as_dict(), **asdict(self.hidden), **done}


class Tried(Exception):
    """Carries what a dry run found out of a transaction that is rolled back."""

    def __init__(self, hidden: Hidden) -> None:
        super().__init__("dry run")
        self.hidden = hidden


def forget(store: Store, actor: Actor, wanted: Selection, *, dry_run: bool = False) -> Forgotten:
    """Hide what a selection means, a portion a transaction so that others can write meanwhile.

    Claims whose only evidence it was are Invalidated, what rests on them is flagged, entities that nothing speaks of
    any more are not offered. What was known before can still be asked as of then. Repeating it finds nothing more.
    """
    with store.reading() as reading:
        selected = select(reading, wanted)
    if dry_run:
        return _tried(store, actor, wanted, selected)
    done, transactions = NOTHING, 0
    for portion in portions(selected):
        hidden = store.write(actor, partial(hide, selected=portion))
        done, transactions = done + hidden, transactions + (hidden != NOTHING)
    return Forgotten(wanted, done, transactions)


def _tried(store: Store, actor: Actor, wanted: Selection, selected: Selected) -> Forgotten:
    def act(writing: Writing) -> None:
        raise Tried(hide(writing, selected))

    try:
        store.write(actor, act)
    except Tried as tried:
        return Forgotten(wanted, tried.hidden, dry_run=True)
    raise AssertionError("a dry run always leaves its transaction by what it found")


def portions(selected: Selected) -> Iterator[Selected]:
    """The selection in portions: a memory with all its texts, a text on its own, claims at last."""
    left = dict.fromkeys(selected.episodes)
    group: list[tuple[tuple[str, ...], dict[str, tuple[str, ...]]]] = []
    memories = dict(selected.memories)
    for memory, texts in memories.items():
        own = tuple(text for text in texts if text in left)
        for text in own:
            del left[text]
        group.append((own, {memory: texts}))
    group += [((text,), {}) for text in left]
    for start in range(0, len(group), AT_ONCE):
        some = group[start : start + AT_ONCE]
        kept = {memory: texts for _, of in some for memory, texts in of.items()}
        yield Selected(tuple(text for own, _ in some for text in own), kept)
    for start in range(0, len(selected.claims), AT_ONCE):
        yield Selected(claims=selected.claims[start : start + AT_ONCE])


def hide(writing: Writing, selected: Selected, *, retire: bool = True) -> Hidden:
    """Hide some things in the open transaction.

    Everything is decided from what the view says now, so that it may be done again.
    """
    there = _there(writing, selected.items)
    claims = [*resting_on(writing, set(selected.items)), *selected.claims]
    standing = [one.id for one in claim_rows(writing, dict.fromkeys(claims)) if one.state.disposition not in GONE]
    touched = touched_by(writing, there, standing) if retire else ()
    for ref in there:
        writing.append("memory.deleted", {"memory": ref, "reason": REASON})
    withdrawn = withdraw(writing, standing, Disposition.INVALIDATED, REASON)
    for ref in there:  # last, since the fate of a claim moves the memories that mirror it
        writing.snapshot.stand(ref, DELETED, active=False, since=ALWAYS, until=FOREVER)
    retired = retire_unsupported(writing, touched, REASON)
    memories = sum(ref in selected.memories for ref in there)
    return Hidden(len(there) - memories, memories, withdrawn, retired)


def _there(writing: Writing, refs: Iterable[str]) -> Sequence[str]:
    rows = writing.ask(queries.items, tuple(refs), upto=writing.upto)
    return [row.id for row in rows if not json.loads(row.state)["deleted"]]
