"""How much of the evidence is found in long conversations: recall, MRR, and whole evidence in a token budget.

    python benchmarks/locomo.py FILE [--cache vectors.npz] [--ablation] [--only 0,1] [--static] [--memory | --ingest]

FILE holds LoCoMo conversations. Each question is asked inside its own conversation; questions without evidence turns
and those of the fifth category are left out. A turn is its text with " [shares <caption>]" after it when a picture was
shared, and it is embedded and indexed with "Speaker: " before it.

By default the ranking is measured over an index in memory, which is quick to vary; `--memory` stores every turn in a
`hornbook.Memory` and searches there, as a user would; `--ingest` has entities and claims extracted from it as well.

R@k: the share of a question's evidence turns among the first k, mean over questions. MRR: over the first 50. Pack:
the share of questions all of whose evidence is among the first turns that fit 4,000 tokens (len ÷ 4), of at most 150.
"""

import argparse
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from hornbook.graph.clock import microseconds, rfc3339
from hornbook.graph.journal.lexical import expression, indexed
from hornbook.graph.retrieval.documents import Corpus, Document, Floats
from hornbook.graph.retrieval.embed import Embedder, MiniLM, spoken
from hornbook.graph.retrieval.floor import above
from hornbook.graph.retrieval.question import Question, analyse
from hornbook.graph.retrieval.rank import Evidence, rank
from hornbook.graph.retrieval.said import asks, spoken_of
from hornbook.graph.retrieval.scoring import Fusion, Scoring, Weights
from hornbook.graph.retrieval.static import StaticEmbedder
from hornbook.memory import Memory

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop"}
RETURNED, PACK, RECALLS = 150, 4_000, (5, 10, 20)
NOW = microseconds(datetime(2026, 1, 1, tzinfo=UTC))  # asked years later, as somebody does who looks something up
LEXICAL = 400  # hits taken from the index, as a search does
DATE = re.compile(r"(\d+):(\d+)\s*(am|pm)\s+on\s+(\d+)\s+(\w+),?\s+(\d{4})", re.I)
OFF = ("neighbours", "speaker", "session", "graph", "temporal", "steer", "substance", "recency")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation."""

    speaker: str
    text: str
    session: str
    at: int | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the turns that hold its answer."""

    question: str
    evidence: frozenset[int]
    category: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of a conversation in order, and what is asked of them."""

    turns: tuple[Turn, ...]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """How one question fared."""

    category: str
    recalls: tuple[float, ...]
    reciprocal: float
    packed: bool


def load(path: Path) -> list[Conversation]:
    """The conversations of a file."""
    return [_conversation(sample) for sample in json.loads(path.read_text("utf-8"))]


def _conversation(sample: Mapping[str, Any]) -> Conversation:
    said = sample["conversation"]
    sessions = sorted((key for key in said if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    place: dict[str, int] = {}
    turns: list[Turn] = []
    for session in sessions:
        at = _at(said.get(f"{session}_date_time", ""))
        for turn in said[session] or ():
            place[turn["dia_id"]] = len(turns)
            shared = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            turns.append(Turn(turn["speaker"], turn["text"] + shared, session, at))
    asked = [
        Asked(item["question"], frozenset(place[ref] for ref in item.get("evidence", ()) if ref in place), kind)
        for item in sample["qa"]
        if (kind := CATEGORIES.get(item["category"]))
    ]
    return Conversation(tuple(turns), tuple(item for item in asked if item.evidence))


def _at(text: str) -> int | None:
    if not (found := DATE.match(text.strip())):
        return None
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "pm" else 0)
    day = datetime.strptime(f"{found[4]} {found[5][:3]} {found[6]}", "%d %b %Y").replace(tzinfo=UTC)
    return microseconds(day.replace(hour=hour, minute=int(found[2])))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A conversation ready to be searched: its corpus, and for each question what the sources found."""

    conversation: Conversation
    corpus: Corpus
    questions: tuple[tuple[Question, Evidence], ...]
    lexical: tuple[tuple[int, ...], ...]


def prepare(conversation: Conversation, vectors: Floats, asked: Floats) -> Prepared:
    """Index a conversation, and run the sources for all its questions once."""
    turns = conversation.turns
    corpus = Corpus(vectors.shape[1])
    corpus.extend([_document(number, turn) for number, turn in enumerate(turns)], vectors)
    search = lexical_index([spoken(turn.text, turn.speaker) for turn in turns])
    found = [search(item.question) for item in conversation.asked]
    questions = [
        (analyse(item.question, now=NOW), Evidence(lexical=hits, vector=vector))
        for item, hits, vector in zip(conversation.asked, found, asked, strict=True)
    ]
    alone = tuple(tuple(sorted(hits, key=lambda row: (-hits[row], row))) for hits in found)
    return Prepared(conversation, corpus, tuple(questions), alone)


def _document(number: int, turn: Turn) -> Document:
    return Document(
        id=number,
        ref=str(number),
        speaker=turn.speaker,
        session=turn.session,
        position=number,
        occurred_at=turn.at,
        length=len(turn.text),
        asks=asks(turn.text),
        about=spoken_of(turn.text),
    )


def lexical_index(texts: Sequence[str]) -> Callable[[str], Mapping[int, float]]:
    """A search by words over these texts, in memory, as the journal has it: row to bm25 as a positive number."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE lexicon USING fts5(text, grams, content='', tokenize='porter unicode61')")
    rows = [(number, *indexed(text)) for number, text in enumerate(texts)]
    db.executemany("INSERT INTO lexicon(rowid, text, grams) VALUES (?, ?, ?)", rows)

    def search(question: str) -> Mapping[int, float]:
        query = "SELECT rowid, -bm25(lexicon) FROM lexicon WHERE lexicon MATCH ? ORDER BY bm25(lexicon) LIMIT ?"
        match = expression(question)
        return dict(db.execute(query, (match, LEXICAL))) if match else {}

    return search


def ordered(scoring: Scoring) -> "Order":
    """The turns found for a question under this scoring, best first."""

    def order(prepared: Prepared, number: int) -> list[int]:
        question, evidence = prepared.questions[number]
        hits = rank(prepared.corpus, question, evidence, now=NOW, scoring=scoring)
        return [hit.document.id for hit in above(hits, question)[:RETURNED]]

    return order


def graded(asked: Asked, found: Sequence[int], turns: Sequence[Turn]) -> Row:
    """One question's figures."""
    want = asked.evidence
    first = next((1 / at for at, row in enumerate(found[:50], 1) if row in want), 0.0)
    recalls = tuple(len(want & set(found[:k])) / len(want) for k in RECALLS)
    return Row(asked.category, recalls, first, want <= set(_packed(found, turns)))


def _packed(found: Sequence[int], turns: Sequence[Turn]) -> Iterable[int]:
    used = 0
    for row in found:
        used += max(1, len(turns[row].text) // 4)
        if used > PACK:
            return
        yield row


Order = Callable[[Prepared, int], Sequence[int]]


def measure(prepared: Iterable[Prepared], order: Order) -> list[Row]:
    """Every question of these conversations, graded."""
    return [
        graded(asked, order(one, number), one.conversation.turns)
        for one in prepared
        for number, asked in enumerate(one.conversation.asked)
    ]


def line(name: str, rows: Sequence[Row]) -> str:
    """A line of the table, in percent."""
    columns = [*zip(*(row.recalls for row in rows), strict=True), [row.reciprocal for row in rows]]
    columns.append([float(row.packed) for row in rows])
    figures = (f"{100 * sum(column) / len(rows):.1f}" for column in columns)
    return f"| {name} | {len(rows)} | " + " | ".join(figures) + " |"


def embedded(
    conversations: Sequence[Conversation], cache: Path | None, embedder: Embedder
) -> list[tuple[Floats, Floats]]:
    """The vectors of turns and questions of each conversation, from the cache where there is one."""
    if cache and cache.exists():
        kept = np.load(cache)
        return [(kept[f"turns{at}"], kept[f"asked{at}"]) for at in range(len(conversations))]
    vectors = [
        (
            embedder.embed([spoken(turn.text, turn.speaker) for turn in one.turns]),
            embedder.embed([asked.question for asked in one.asked]),
        )
        for one in conversations
    ]
    if cache:
        named: dict[str, Any] = {f"turns{at}": turns for at, (turns, _) in enumerate(vectors)}
        named |= {f"asked{at}": asked for at, (_, asked) in enumerate(vectors)}
        np.savez(cache, **named)
    return vectors


def without(signal: str) -> Scoring:
    """The default scoring with one signal off."""
    return Scoring(weights=replace(Weights(), **{signal: 0.0}))


def remembered(conversations: Sequence[Conversation], *, extracted: bool) -> list[Row]:
    """The same figures from whole memories: every turn stored or ingested, every question searched for."""
    return [row for conversation in conversations for row in _through_memory(conversation, extracted)]


def _through_memory(conversation: Conversation, extracted: bool) -> Iterable[Row]:
    keep = _ingested if extracted else _stored
    with Memory.open(":memory:", user="locomo") as memory:
        place = {keep(memory, turn): number for number, turn in enumerate(conversation.turns)}
        memory.index()
        for asked in conversation.asked:
            hits = memory.search(asked.question, limit=RETURNED).hits
            yield graded(asked, [place[hit.node_id] for hit in hits], conversation.turns)


def _stored(memory: Memory, turn: Turn) -> str:
    at = None if turn.at is None else rfc3339(turn.at)
    return memory.store(turn.text, speaker=turn.speaker, session=turn.session, occurred_at=at).node_id


def _ingested(memory: Memory, turn: Turn) -> str:
    at = None if turn.at is None else rfc3339(turn.at)
    kept = memory.ingest(turn.text, speaker=turn.speaker, session=turn.session, occurred_at=at, role="participant")
    return kept.event_id


def lexical_only(prepared: Prepared, number: int) -> Sequence[int]:
    """What FTS5 alone would return."""
    return prepared.lexical[number][:RETURNED]


def blinded(prepared: Prepared, sense: str) -> Prepared:
    """The same questions with one source missing: `lexical` or `vector`."""
    empty: dict[str, Any] = {"lexical": {}, "vector": None}
    questions = tuple((asked, replace(found, **{sense: empty[sense]})) for asked, found in prepared.questions)
    return replace(prepared, questions=questions)


def report(rows: Sequence[Row]) -> None:
    """All questions, and by category."""
    print(line("all", rows))
    for kind in sorted({row.category for row in rows}):
        print(line(kind, [row for row in rows if row.category == kind]))


def vary(prepared: Sequence[Prepared], each: bool) -> None:
    """The ranking as it is, words alone, the other fusion, and if asked each signal off."""
    report(measure(prepared, ordered(Scoring())))
    print(line("FTS5 alone", measure(prepared, lexical_only)))
    print(line("weighted sum", measure(prepared, ordered(Scoring(fusion=Fusion.WEIGHTED)))))
    if each:
        ablation(prepared)


def ablation(prepared: Sequence[Prepared]) -> None:
    """Each signal off in turn."""
    for signal in OFF:
        print(line(f"without {signal}", measure(prepared, ordered(without(signal)))))
    for sense in ("lexical", "vector"):
        blind = [blinded(one, sense) for one in prepared]
        print(line(f"without {sense}", measure(blind, ordered(Scoring()))))


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--cache", type=Path, help="keep the vectors here")
    parser.add_argument("--only", default="", help="conversations by number, as in 0,1")
    parser.add_argument("--ablation", action="store_true", help="each signal off in turn")
    parser.add_argument("--static", action="store_true", help="with the static table in place of the model")
    parser.add_argument("--memory", action="store_true", help="through a memory, from storing to searching")
    parser.add_argument("--ingest", action="store_true", help="the same, with extraction")
    given = parser.parse_args()
    conversations = load(given.file)
    chosen = [int(at) for at in given.only.split(",") if at] or range(len(conversations))
    print("| | n | R@5 | R@10 | R@20 | MRR | pack |\n|---|---|---|---|---|---|---|")
    started = time.process_time()
    if given.memory or given.ingest:
        report(remembered([conversations[at] for at in chosen], extracted=given.ingest))
    else:
        vectors = embedded(conversations, given.cache, StaticEmbedder() if given.static else MiniLM())
        vary([prepare(conversations[at], *vectors[at]) for at in chosen], given.ablation)
    print(f"\n{time.process_time() - started:.1f} s of CPU")


if __name__ == "__main__":
    main()
