"""summarize: a conversation that has come to rest gets a summary, linked to the turns that it sums up.

A model writes it where one is set; otherwise it is made of the sentences that say most. The turns stay as they are.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hornbook.graph.episode import Episode, NodeType, Role, Scope, StoredMemory
from hornbook.graph.errors import HornbookError
from hornbook.graph.ids import new_id
from hornbook.graph.journal import Model
from hornbook.graph.lifecycle import Lifecycle
from hornbook.graph.nodes import text_of
from hornbook.graph.organize.extract_summary import extract_summary
from hornbook.graph.organize.moving import move_all
from hornbook.graph.organize.work import FRESH, Report, Work, pages
from hornbook.graph.record import prepare
from hornbook.graph.remember import remember
from hornbook.graph.store import Reading
from hornbook.graph.view.queries import ItemRow

JOB = "summarize"
LEAST, MOST = 8, 400  # turns of a conversation that is worth a summary; turns that one is made of
SALIENCE = 0.4  # a summary points at its turns; it does not outrank them


@dataclass(slots=True)
class Session:
    """What was seen of one conversation: its turns, and the summary it has."""

    turns: list[str] = field(default_factory=list)
    latest: int = 0
    scope: str = Scope.PERSONAL.value
    summary: str | None = None
    summed_up: int = 0  # turns that the summary is of
    stood: Lifecycle = Lifecycle.TENTATIVE

    def due(self, now: int) -> bool:
        """Whether it has come to rest, and has enough that no summary tells."""
        return len(self.turns) - self.summed_up >= LEAST and now - self.latest >= FRESH


def summarize(work: Work) -> Report:
    """Go through the conversations, then sum up those that have come to rest and have grown since."""
    seen: dict[str, Session] = work.note(JOB, dict)
    looked_at = 0
    for reading, rows in pages(work, JOB):
        looked_at += len(rows)
        for row in rows:
            _see(reading, row, seen)
    if JOB in work.progress.cursors:  # not all turns are seen yet
        return Report(JOB, looked_at, 0, False, "the budget was spent before all turns were seen")
    with work.store.reading() as reading:
        due = [(name, one) for name, one in seen.items() if one.due(reading.now)]
    changed, failed, done = _written(work, due)
    if done:
        work.finished(JOB)
    why = f"no conversation of {LEAST} turns or more has come to rest without a summary"
    return Report(JOB, looked_at, changed, done, why, {"by": work.summariser, "failed": failed})


def _see(reading: Reading, row: ItemRow, seen: dict[str, Session]) -> None:
    state = json.loads(row.state)
    if state["deleted"]:
        return
    if row.kind == "episode" and row.session:
        one = seen.setdefault(row.session, Session())
        if row.id not in one.turns:
            one.turns.append(row.id)
        one.latest, one.scope = reading.known_at(row.seq), row.scope
    labels: Mapping[str, Any] = json.loads(row.data).get("labels") or {}
    if "sums_up" in labels and state["lifecycle"] in (Lifecycle.TENTATIVE, Lifecycle.STABLE):
        one = seen.setdefault(labels["sums_up"], Session())
        one.summary, one.summed_up, one.stood = row.id, labels["turns"], Lifecycle(state["lifecycle"])


def _written(work: Work, due: Sequence[tuple[str, Session]]) -> tuple[int, int, bool]:
    """How many summaries were written, how many could not be, and whether the budget reached them all."""
    changed = failed = 0
    for name, one in due:
        if not work.left:
            return changed, failed, False
        try:
            written = _sum_up(work, name, one)
        except HornbookError:  # the model could not be had: the conversation is looked at again next time
            failed += 1
            continue
        if one.summary is not None:
            move_all(work, [(one.summary, one.stood, f"summed up again by {written}")], Lifecycle.SUPERSEDED)
        one.summed_up = len(one.turns)
        changed += 1
    return changed, failed, True


def _sum_up(work: Work, name: str, one: Session) -> str:
    with work.store.reading() as reading:
        turns = [_spoken(reading, ref) for ref in one.turns[-MOST:]]
    text = (work.summarise or extract_summary)([turn for turn in turns if turn])
    scope = Scope(one.scope)
    episode = Episode(
        new_id(), f"Summary of {name}:\n{text}", Role.SYSTEM, scope=scope, source=f"summary:{name}", position=new_id()
    )
    labels = {"sums_up": name, "turns": len(one.turns), "by": work.summariser}
    id_, turns_of = new_id(), tuple(one.turns[-MOST:])

    def item(number: int) -> StoredMemory:
        return StoredMemory(
            *(id_, number, episode.id, NodeType.SUMMARY, scope),
            salience=SALIENCE,
            labels=labels,
            summarises=turns_of,
        )

    indexed = prepare(episode.content, None, work.embedder.embed)
    model = Model(work.embedder.model, work.embedder.digest, work.embedder.dimension)
    return remember(work.store, work.actor, episode, item, indexed, model).node_id


def _spoken(reading: Reading, ref: str) -> str:
    event = reading.snapshot.by_id(ref)
    speaker = event.body["speaker"] if event is not None and event.body is not None else None
    text = text_of(reading, ref)
    return f"{speaker}: {text}" if speaker and text else text
