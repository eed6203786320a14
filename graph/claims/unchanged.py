"""Acting on what was seen: a line is as it was when somebody looked at it, or the act is refused."""

from hornbook.graph.claims.lines import all_of, find_line, held
from hornbook.graph.errors import Conflict
from hornbook.graph.store import Writing
from hornbook.graph.view import queries


def check_unchanged(writing: Writing, subject: str, predicate: str, known_at: int) -> None:
    """Conflict where a claim has come to the line since an instant, or one of its claims stands otherwise than then.

    Asked under the lock, so that nothing can change between the answer and the act.
    """
    found = find_line(writing, subject, predicate)
    if found is None:
        return
    seen = writing.snapshot.seq_at(known_at)
    then = {one.id: one.state for one in held(writing, writing.ask(queries.line, found[0], upto=seen))}
    now = {one.id: one.state for one in all_of(writing, found[0])}
    if then != now:
        raise Conflict(
            f"{predicate} of {subject[:80]} has changed since it was looked at: nothing was done",
            hint="look at it again, and decide on what stands there now",
        )
