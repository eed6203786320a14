"""What became of an order to the memory as HTML: what was stored, read, settled, ended, merged, tidied, hidden."""

from collections.abc import Iterable, Mapping
from typing import Any

from hornbook.display.claims import became
from hornbook.display.frame import coloured, framed, heading, known, moment, ref, soft, table
from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.extraction.batch.tally import Tally
from hornbook.extraction.importers.brought import Report
from hornbook.extraction.ingest import Ingested
from hornbook.graph.changed import Changed, Touched
from hornbook.graph.claims.act import Ended, Reconciled, Resolved
from hornbook.graph.claims.assert_claim import Outcome
from hornbook.graph.claims.merge import Merged
from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import counted
from hornbook.graph.forget.erase import Erased
from hornbook.graph.forget.forget import Forgotten
from hornbook.graph.forget.undo import Undone
from hornbook.graph.organize.run import Organized
from hornbook.graph.organize.work import Report as Job
from hornbook.graph.portable.import_lines import Imported
from hornbook.graph.records.delete import Deleted
from hornbook.graph.remember import Stored
from hornbook.graph.retrieval.waiting import Embedded
from hornbook.records import Added, Addition

JOBS = ("job", "looked at", "changed", "")


def stored(found: Stored) -> str:
    """A memory that was stored, and the claim that it is."""
    title = heading("Already there" if found.already else "Stored", f"number {found.number}", ref(found.node_id))
    return framed(title) if found.claim is None else framed(title, became(found.claim))


def ingested(found: Ingested) -> str:
    """A text: what was read in it, and what became of that."""
    return framed(_ingested(found))


def _ingested(found: Ingested) -> Markup:
    read = counted(len(found.claims), "claim"), counted(found.entities, "entity")
    title = heading(found.status, *read, soft(found.extractor), ref(found.event_id))
    rows = (
        (one.subject, one.predicate, tag("b", short(said(one.value))), coloured(one.disposition.value), _why(one))
        for one in found.claims
    )
    claims = table(("subject", "predicate", "value", "disposition", ""), rows)
    return join(
        [title, claims, _failed(found.failed), *(tag("div", note, "\n", class_="soft") for note in found.notes)]
    )


def _why(one: Outcome) -> str:
    """What there is to say of a claim beside that it came in."""
    reason = [one.status_reason] if one.contested_with and one.status_reason else []
    return "; ".join([*reason, *one.notes])


def tally(found: Tally) -> str:
    """How a run over many texts went."""
    spent = found.usage
    counts = {"claim": found.claims, "entity": found.entities, "call": spent.calls, "token": spent.read + spent.written}
    fates = [f"{many} {fate}" for fate in ("stored", "known", "extracted", "failed") if (many := getattr(found, fate))]
    left_out = f"{counted(found.left_out, 'claim')} left out" if found.left_out else ""
    cost = f"{spent.cost:.4f} dollars" if spent.cost else ""
    texts = counted(found.texts, "text")
    return framed(heading(texts, *fates, *_counts(counts), left_out, cost), _failed(found.failures))


def _failed(failures: Iterable[Mapping[str, Any]], what: str = "failed") -> Markup:
    """What could not be done, each with where and why."""
    rows = [
        (one.get("source", ""), one.get("position", ""), tag("span", one.get("message", ""), class_="bad"))
        for one in failures
    ]
    return table(("source", "position", what), rows)


def resolved(found: Resolved) -> str:
    """How a line stands after its contest was ended, and what became of its claims."""
    return framed(heading(coloured(found.status.value), counted(len(found.outcomes), "claim")), _fates(found.outcomes))


def reconciled(found: Reconciled) -> str:
    """Every claim that was looked at again."""
    asked = f"{found.oracle_escalations} put to the oracle" if found.oracle_escalations else ""
    return framed(heading(counted(len(found.outcomes), "claim"), asked), _fates(found.outcomes))


def _fates(outcomes: Iterable[tuple[str, str]]) -> Markup:
    return table(("claim", "disposition"), ((ref(id_), coloured(fate)) for id_, fate in outcomes))


def ended(found: Ended) -> str:
    """A fact that was said to have stopped, or to go on."""
    what = "Nothing to change" if found.no_op else "Ended" if found.at else "Its ends are taken back"
    return framed(heading(what, str(found.at or ""), coloured(found.disposition.value), ref(found.claim_ref)))


def merged(found: Merged) -> str:
    """Two entities that were made one, or parted."""
    moved = f"{counted(found.claims, 'claim')} moved"
    return framed(heading(f"{found.kept} and {found.merged}", moved, ref(found.merge_id)))


def embedded(found: Embedded) -> str:
    """How many documents got a vector."""
    return framed(heading(f"{found.embedded} embedded", "more are waiting" if found.waiting else ""))


def organized(found: Organized) -> str:
    """What each job of maintenance did."""
    left = f"{counted(len(found.left), 'job')} left for the next call: {', '.join(found.left)}" if found.left else ""
    title = heading(counted(len(found.jobs_run), "job"), f"{found.duration_ms:.0f} ms", left)
    return framed(title, table(JOBS, map(_job, found.reports)))


def job(found: Job) -> str:
    """What a job of maintenance did."""
    return framed(table(JOBS, [_job(found)]))


def _job(one: Job) -> tuple[object, ...]:
    more = [f"{name} {said(value)}" for name, value in one.more.items()]
    notes = ", ".join([*([] if one.done else ["not finished"]), *more, *([one.why] if one.why else [])])
    return one.job, one.looked_at, one.changed, soft(short(notes))


def changed(found: Changed) -> str:
    """What changed, oldest first."""
    more = f"there is more after cursor {found.next_cursor}" if found.more else ""
    title = heading(counted(len(found.changes), "change"), more, known(found.as_known))
    return framed(title, table(("known since", "what", "about"), map(_change, found.changes)))


def _change(change: Mapping[str, Any]) -> tuple[object, ...]:
    about = {name: short(said(value), 80) for name, value in change.items() if name not in ("seq", "known_at", "kind")}
    return moment(change["known_at"]), change["kind"], _named(about)


def touched(found: Touched) -> str:
    """What some events are about."""
    about = "about claims" if found.claims else ""
    return framed(heading(f"Up to event {found.upto}", counted(len(found.ids), "id"), about))


def imported(found: Imported) -> str:
    """The events that came in, and those that were here."""
    counts = {"event": found.events, "transaction": found.transactions}
    here = f"{found.already} here already" if found.already else ""
    kept = f"known {found.known[0]} to {found.known[1]}" if found.known else ""
    return framed(heading("Imported", *_counts(counts), here, kept))


def brought(found: Report) -> str:
    """What came from another system, and what could not be carried."""
    counts = _counts({"text": found.texts, "claim": found.claims, "end": found.ends})
    here = f"{found.already} here already" if found.already else ""
    rows = ((what, why, many) for (what, why), many in found.left.items())
    return framed(heading(f"From {found.system}", *counts, here), table(("not carried", "why", "how many"), rows))


def forgotten(found: Forgotten) -> str:
    """What was hidden, or would be."""
    hidden = found.hidden
    counts = _counts(
        {"text": hidden.episodes, "memory": hidden.memories, "claim": hidden.claims, "entity": hidden.entities}
    )
    meant = soft(_named(found.selection.as_dict()))
    return framed(heading("Would be hidden" if found.dry_run else "Hidden", *counts, meant))


def erased(found: Erased) -> str:
    """What was erased, and what still holds a copy."""
    what = "Would be erased" if found.dry_run else "Erasing goes on" if found.pending else "Erased"
    counts = {"text": found.episodes, "memory": found.memories, "claim": found.claims, "entity": found.entities}
    meant = soft("" if found.selection is None else _named(found.selection.as_dict()))
    held = (tag("div", f"still held by {one}", class_="bad") for one in found.pending)
    return framed(heading(what, *_counts({**counts, "event": found.events}), meant), *held)


def undone(found: Undone) -> str:
    """The transaction that was taken back."""
    counts = _counts({"claim": found.claims, "item": found.items})
    return framed(heading(f"Taken back: transaction {found.transaction} of {rfc3339(found.known_at)}", *counts))


def deleted(found: Deleted) -> str:
    """How many records went, and claims with them."""
    what = "Would be deleted" if found.dry_run else "Declined" if found.declined else "Deleted"
    gone = f"{counted(found.claims, 'claim')} not believed any more" if found.claims else ""
    return framed(heading(what, counted(found.deleted, "record"), gone))


def added(found: Added) -> str:
    """A record that was added, and what was read in it."""
    title = heading("Already there" if found.already else "Added", f"number {found.record.memory_id}")
    text = tag("div", short(found.record.content), "\n")
    return framed(title, text) if found.ingested is None else framed(title, text, _ingested(found.ingested))


def addition(found: Addition) -> str:
    """The records that were added together."""
    rows = (
        (one.record.memory_id, short(one.record.content), "already there" if one.already else "", *_read(one))
        for one in found
    )
    return framed(heading(counted(len(found), "record")), table(("number", "text", "", "claims"), rows))


def _read(one: Added) -> tuple[object]:
    return ("" if one.ingested is None else len(one.ingested.claims),)


def _counts(counts: Mapping[str, int]) -> list[str]:
    """How much of each thing there is; of some nothing."""
    return [counted(number, thing) for thing, number in counts.items() if number]


def _named(given: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {short(word, 80)}" for name, word in given.items())
