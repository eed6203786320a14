"""Which display a value has. Loaded when the first value is shown: it knows every value there is."""

from functools import singledispatch
from typing import Any

from hornbook.display import claims, found, reasons
from hornbook.graph.belief.belief import Slot
from hornbook.graph.claims.assert_claim import Outcome
from hornbook.graph.claims.believe import Answer, Answers
from hornbook.graph.claims.entity import Known
from hornbook.graph.claims.ledger import Audit, History, Told
from hornbook.graph.claims.list_contested import ContestedLine, Contests
from hornbook.graph.errors import HornbookError
from hornbook.graph.retrieval.found import Found, Results
from hornbook.reasoning.adding import Added
from hornbook.reasoning.asking import Asked
from hornbook.reasoning.explain import Explained


@singledispatch
def html(value: Any) -> str | None:
    """The value as HTML; None where there is no display for it."""
    return None


html.register(Answer, claims.answer)
html.register(Answers, claims.answers)
html.register(Slot, claims.slot)
html.register(Told, claims.told)
html.register(History, claims.history)
html.register(Known, claims.known)
html.register(Contests, claims.contests)
html.register(ContestedLine, claims.contested_line)
html.register(Outcome, claims.outcome)
html.register(Audit, claims.audit)
html.register(Results, found.results)
html.register(Found, found.hit)
html.register(Explained, reasons.explained)
html.register(Asked, reasons.asked)
html.register(Added, reasons.added)
html.register(HornbookError, reasons.error)
