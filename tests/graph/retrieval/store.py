"""A small store for the retrieval tests: everyday memories, indexed by words and by meaning, in memory."""

import json
import sqlite3
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hornbook.graph.journal.lexical import expression, indexed
from hornbook.graph.retrieval.documents import Corpus, Document
from hornbook.graph.retrieval.embed import Embedder, MiniLM
from hornbook.graph.retrieval.floor import above
from hornbook.graph.retrieval.question import analyse
from hornbook.graph.retrieval.rank import Evidence, rank

HERE = Path(__file__).parent
MINILM = MiniLM()  # one for all tests: loading it costs half a second


def read(name: str) -> Any:
    """A file of cases."""
    return json.loads((HERE / f"{name}.json").read_text("utf-8"))


def texts() -> list[str]:
    """Every memory of the store: the everyday ones, and those that the cases ask for."""
    asked = [case["memory"] for name in ("paraphrase", "exact", "foreign") for case in read(name)]
    return list(dict.fromkeys([*read("everyday"), *asked]))


def words(stored: Sequence[str]) -> Callable[[str], dict[int, float]]:
    """A search by words over the texts, as the journal indexes them: number to bm25."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE lexicon USING fts5(text, grams, content='', tokenize='porter unicode61')")
    rows = [(number, *indexed(text)) for number, text in enumerate(stored)]
    db.executemany("INSERT INTO lexicon(rowid, text, grams) VALUES (?, ?, ?)", rows)
    query = "SELECT rowid, -bm25(lexicon) FROM lexicon WHERE lexicon MATCH ?"

    def search(question: str) -> dict[int, float]:
        return dict(db.execute(query, (match,))) if (match := expression(question)) else {}

    weakref.finalize(search, db.close)
    return search


@cache
def everyday(embedder: Embedder = MINILM) -> Callable[[str], list[str]]:
    """A search of the everyday store: a question to the texts found, best first."""
    stored = texts()
    corpus = Corpus(embedder.dimension)
    documents = [Document(number, str(number), length=len(text)) for number, text in enumerate(stored)]
    corpus.extend(documents, embedder.embed(stored))
    lexical = words(stored)

    def search(text: str) -> list[str]:
        question = analyse(text)
        found = lexical(text)
        exact = {row: count for row in found if (count := sum(token in stored[row] for token in question.exact))}
        evidence = Evidence(found, embedder.embed([text])[0], exact=exact)
        ranked = rank(corpus, question, evidence, now=0)
        return [stored[hit.document.id] for hit in above(ranked, question, embedder.model)]

    return search
