"""Which display a value has. Loaded when the first value is shown: it knows every value there is."""

from collections.abc import Callable, Mapping
from functools import singledispatch
from typing import Any

from hornbook.display import claims, done, found, reasons
from hornbook.extraction.batch.tally import Tally
from hornbook.extraction.importers.brought import Report as Brought
from hornbook.extraction.ingest import Ingested
from hornbook.graph.belief.belief import Belief, Slot
from hornbook.graph.belief.state import Held
from hornbook.graph.changed import Changed, Touched
from hornbook.graph.claims.act import Ended, Reconciled, Resolved
from hornbook.graph.claims.adjudicate import Question
from hornbook.graph.claims.assert_claim import Outcome
from hornbook.graph.claims.believe import Answer, Answers
from hornbook.graph.claims.context import Context
from hornbook.graph.claims.entity import Known
from hornbook.graph.claims.ledger import Audit, Entry, History, Told
from hornbook.graph.claims.list_contested import ContestedLine, Contests
from hornbook.graph.claims.merge import Merged
from hornbook.graph.errors import HornbookError
from hornbook.graph.forget.erase import Erased
from hornbook.graph.forget.forget import Forgotten
from hornbook.graph.forget.undo import Undone
from hornbook.graph.nodes import Node
from hornbook.graph.organize.run import Organized
from hornbook.graph.organize.work import Report as Job
from hornbook.graph.portable.import_lines import Imported
from hornbook.graph.records.delete import Deleted
from hornbook.graph.records.record import Record
from hornbook.graph.records.shelf import Matches, Page
from hornbook.graph.remember import Stored
from hornbook.graph.retrieval.found import Found, Results
from hornbook.graph.retrieval.waiting import Embedded
from hornbook.reasoning.adding import Added
from hornbook.reasoning.asking import Asked
from hornbook.reasoning.explain import Explained
from hornbook.reasoning.proof import Explanation, Proof
from hornbook.reasoning.rulebook import Rulebook, Stated
from hornbook.reasoning.why_not import Absence
from hornbook.records import Added as AddedRecord
from hornbook.records import Addition


@singledispatch
def html(value: Any) -> str | None:
    """The value as HTML; None where there is no display for it."""
    return None


DISPLAYS: Mapping[type, Callable[[Any], str]] = {
    Answer: claims.answer,
    Answers: claims.answers,
    Belief: claims.belief,
    Slot: claims.slot,
    Held: claims.held,
    Told: claims.told,
    History: claims.history,
    Known: claims.entity,
    Contests: claims.contests,
    ContestedLine: claims.contested_line,
    Outcome: claims.outcome,
    Audit: claims.audit,
    Entry: claims.entry,
    Results: found.results,
    Found: found.hit,
    Node: found.node,
    Record: found.record,
    Page: found.page,
    Matches: found.matches,
    Context: found.context,
    Question: found.question,
    Stored: done.stored,
    Ingested: done.ingested,
    Tally: done.tally,
    Resolved: done.resolved,
    Reconciled: done.reconciled,
    Ended: done.ended,
    Merged: done.merged,
    Embedded: done.embedded,
    Organized: done.organized,
    Job: done.job,
    Changed: done.changed,
    Touched: done.touched,
    Imported: done.imported,
    Brought: done.brought,
    Forgotten: done.forgotten,
    Erased: done.erased,
    Undone: done.undone,
    Deleted: done.deleted,
    AddedRecord: done.added,
    Addition: done.addition,
    Explained: reasons.explained,
    Explanation: reasons.explanation,
    Proof: reasons.proof,
    Absence: reasons.absence,
    Asked: reasons.asked,
    Added: reasons.added,
    Stated: reasons.stated,
    Rulebook: reasons.rulebook,
    HornbookError: reasons.error,
}
for shown, drawn in DISPLAYS.items():
    html.register(shown, drawn)
