"""Entity recall and pair precision and recall of the offline extractor, on WebNLG, CoNLL04 and Re-DocRED files.

usage: python benchmarks/extraction.py FILE... [--limit N] [--words N]

Names match when, lower-cased and without punctuation, their Indel ratio is 85 or more, or one holds the other on word
borders and is at most three times as long. A pair is unordered. Words per second are by CPU time, on one core, the
loading of the model included, over at least `--words` words (the texts are read again until there are as many).
"""

import argparse
import functools
import json
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from rapidfuzz.fuzz import ratio

from hornbook.extraction.candidate import Extraction, Passage
from hornbook.extraction.offline.spacy_extractor import SpacyExtractor


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its gold entities, each under all its names, and the gold pairs of their positions."""

    text: str
    entities: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[int, int], ...]
    skipped: frozenset[int] = frozenset()


@functools.lru_cache(200_000)
def clean(name: str) -> str:
    """A name as it is compared."""
    text = unicodedata.normalize("NFKC", name).replace("_", " ").casefold()
    text = re.sub(r"\^\^.*$|@[a-z]{2}$", "", text.strip().strip('"'))
    return re.sub(r"^(the|a|an) ", "", " ".join(re.sub(r"[^\w]+", " ", text).split()))


@functools.lru_cache(1_000_000)
def same(one: str, other: str) -> bool:
    """Whether two cleaned names are the same."""
    if not one or not other:
        return False
    if one == other or ratio(one, other) >= 85:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= 2 and len(long.split()) <= 3 * len(short.split()) and f" {short} " in f" {long} "


def joined(tokens: list[str]) -> str:
    """Tokens as running text."""
    text = " ".join(tokens).replace("-LRB-", "(").replace("-RRB-", ")")
    text = re.sub(r"\s+([,.;:!?%)\]'’])", r"\1", text)  # noqa: RUF001 the apostrophe of the sources
    text = re.sub(r"([(\[$])\s+", r"\1", text)
    text = re.sub(r"(\w)\s+(n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1\2", text)
    return re.sub(r"\s+-\s+", "-", text)


def read(path: Path) -> list[Text]:
    """The texts of one of the three formats, told apart by their fields."""
    content = path.read_text(encoding="utf-8")
    rows = (
        [json.loads(line) for line in content.splitlines() if line.strip()]
        if path.suffix == ".jsonl"
        else json.loads(content)
    )
    shape = webnlg if "triples" in rows[0] else conll if "tokens" in rows[0] else docred
    return [shape(row) for row in rows]


def webnlg(row: dict[str, Any]) -> Text:
    """Triples of names."""
    at: dict[str, int] = {}
    pairs = dict.fromkeys(
        (at.setdefault(clean(s), len(at)), at.setdefault(clean(o), len(at)))
        for s, _, o in row["triples"]
        if clean(s) and clean(o)
    )
    return Text(row["text"], tuple((name,) for name in at), tuple(pairs))


def conll(row: dict[str, Any]) -> Text:
    """One sentence in tokens."""
    names = tuple((clean(joined(row["tokens"][e["start"] : e["end"]])),) for e in row["entities"])
    return Text(joined(row["tokens"]), names, tuple((r["head"], r["tail"]) for r in row["relations"]))


def docred(row: dict[str, Any]) -> Text:
    """A document, its entities each with several mentions; numbers are no entities here."""
    names = tuple(tuple(sorted({clean(m["name"]) for m in group})) for group in row["vertexSet"])
    pairs = {frozenset((r["h"], r["t"])): (r["h"], r["t"]) for r in reversed(row["labels"]) if r["h"] != r["t"]}
    numbers = frozenset(i for i, group in enumerate(row["vertexSet"]) if group[0]["type"] == "NUM")
    return Text(" ".join(map(joined, row["sents"])), names, tuple(pairs.values()), numbers)


def found_in(extraction: Extraction) -> tuple[set[str], set[frozenset[str]]]:
    """The names and the unordered pairs of names of an extraction, cleaned."""
    ends = [(clean(c.subject), clean(str(c.value))) for c in extraction.candidates]
    pairs = {frozenset(pair) for pair in ends if all(pair) and pair[0] != pair[1]}
    return {clean(m.name) for m in extraction.mentions} | {name for pair in pairs for name in pair}, pairs


def joins(gold: Text, pair: tuple[int, int], found: frozenset[str]) -> bool:
    """Whether a found pair is this gold pair, either way round."""
    one, other = found
    first, second = (gold.entities[i] for i in pair)
    return any(
        any(same(name, a) for name in first) and any(same(name, b) for name in second)
        for a, b in ((one, other), (other, one))
    )


def score(texts: list[Text], extractions: Iterable[Extraction]) -> dict[str, float]:
    """Entity recall, pair recall and precision, in percent."""
    entities = hit = pairs = recalled = said = right = 0
    for gold, extraction in zip(texts, extractions, strict=True):
        names, found = found_in(extraction)
        wanted = [group for i, group in enumerate(gold.entities) if i not in gold.skipped]
        entities += len(wanted)
        hit += sum(any(same(name, other) for name in group for other in names) for group in wanted)
        pairs += len(gold.pairs)
        recalled += sum(any(joins(gold, pair, f) for f in found) for pair in gold.pairs)
        said += len(found)
        right += sum(any(joins(gold, pair, f) for pair in gold.pairs) for f in found)
    recall, precision = round(100 * recalled / max(pairs, 1), 1), round(100 * right / max(said, 1), 1)
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return {
        "texts": len(texts),
        "entity R": 100 * hit / max(entities, 1),
        "pair P": precision,
        "pair R": recall,
        "pair F1": f1,
    }


def speed(texts: list[Text], words: int) -> float:
    """Words read in a second of CPU time, the loading of the model included when it is the first use."""
    passages, count = [], 0
    for text in cycle(texts):
        passages.append(Passage(text.text))
        count += len(text.text.split())
        if count >= words:
            break
    begin = time.process_time()
    for _ in SpacyExtractor().extract_many(passages):
        pass
    return count / (time.process_time() - begin)


def rows(paths: list[Path], limit: int | None, words: int) -> Iterator[str]:
    """The table, a line at a time."""
    loaded = {path: read(path)[:limit] for path in paths}
    rate = speed([text for texts in loaded.values() for text in texts], words)
    yield "| file | texts | entity R | pair P | pair R | pair F1 |\n|---|---|---|---|---|---|"
    for path, texts in loaded.items():
        result = score(texts, SpacyExtractor().extract_many(Passage(text.text) for text in texts))
        yield (
            f"| {path.name} | {result['texts']} | "
            + " | ".join(f"{result[k]:.1f}" for k in ("entity R", "pair P", "pair R", "pair F1"))
            + " |"
        )
    yield f"\n{rate:,.0f} words a second with the model, loading included"


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", type=Path)
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--words", type=int, default=20_000)
    given = arguments.parse_args()
    for row in rows(given.files, given.limit, given.words):
        print(row)


if __name__ == "__main__":
    main()
