"""index_compaction: the index of words is merged, and what still waits for a vector gets one."""

from hornbook.graph.organize.work import Report, Work
from hornbook.graph.retrieval.waiting import embed_waiting

JOB = "index_compaction"


def index_compaction(work: Work) -> Report:
    """Merge the lexical index step by step, then embed what waits, until the budget is spent."""
    steps, merged = 0, False
    while work.left and not merged:
        merged = not work.store.write(work.actor, lambda writing: writing.snapshot.compact())
        steps += not merged
    embedded = embed_waiting(work.store, work.actor, work.embedder, work.left * 1_000) if work.left else None
    put = embedded.embedded if embedded else 0
    done = merged and embedded is not None and not embedded.waiting
    why = "the index of words is compact, and nothing waits for a vector"
    return Report(JOB, steps + put, steps + put, done, why, {"merge_steps": steps, "embedded": put})
