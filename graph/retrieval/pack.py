"""Packing what was found into a text for a reader with a limited window: beliefs first, then who said what, and when.

Passages are chosen in rank order until the budget is spent, then laid out by session in the order they were said, so
that neighbours read on. What is left out is said.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.names import name_key

CHARACTERS = 4  # of ASCII in a token, on average; other scripts take about one token a character
LEAST = 60  # tokens: a shortened passage below this says too little to be worth its place
SHARE = 0.4  # of the budget, the most that beliefs take before the passages have theirs
MARGIN = 40  # tokens kept for the line that states the cuts


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of what was said. `previous` is the ref of the turn before it, `order` its place in time."""

    ref: str
    text: str
    speaker: str | None = None
    date: str | None = None
    session: str | None = None
    order: int = 0
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """The text, what it costs, and what did not fit: refs shown, passages left out, passages shortened."""

    text: str
    tokens: int
    shown: tuple[str, ...]
    left_out: int
    shortened: int
    folded: int


def tokens(text: str) -> int:
    """About how many tokens a text is, counted without a tokenizer.

    >>> tokens("twelve chars"), tokens("我喜欢喝茶"), tokens("")
    (3, 5, 0)
    """
    foreign = sum(not char.isascii() and char.isalpha() for char in text)
    return -(-(len(text) - foreign) // CHARACTERS) + foreign


def pack(beliefs: Sequence[str], passages: Iterable[Passage], budget: int = 4_000) -> Packed:
    """Beliefs and passages, both best first, in at most `budget` tokens.

    >>> said = [Passage("b", "Munich!", "Ana", "2024-04-02", "s", 2, "a"),
    ...         Passage("a", "Where do you live now?", "Ben", "2024-04-02", "s", 1)]
    >>> print(pack(["Ana lives in Munich (since 2024-03)"], said, 100).text)
    What is believed
    - Ana lives in Munich (since 2024-03)
    <BLANKLINE>
    What was said
    [2024-04-02]
    Ben: Where do you live now?
    Ana: Munich!
    """
    single, folded = fold(passages)
    lines, room = [f"- {line}" for line in beliefs], budget - MARGIN - 2 * HEADING
    believed = _fitting(lines, round(room * SHARE) if single else room)
    chosen, left_out, shortened = _chosen(single, room - _cost(believed))
    if not left_out + shortened:  # what the passages leave free is the beliefs'
        believed = _fitting(lines, room - _cost(_laid_out(chosen)))
    left_out += len(beliefs) - len(believed)
    parts = [_section("What is believed", believed), _section("What was said", _laid_out(chosen))]
    parts.append(_cuts(left_out, shortened, budget))
    text = "\n\n".join(part for part in parts if part)
    return Packed(text, tokens(text), tuple(one.ref for one in chosen), left_out, shortened, folded)


HEADING = 5  # tokens of a section's heading


def _cost(lines: Sequence[str]) -> int:
    """The tokens of lines, each with its end."""
    return sum(tokens(line) + 1 for line in lines)


def fold(passages: Iterable[Passage]) -> tuple[list[Passage], int]:
    """The passages without those whose text stands in a better one, and how many those were.

    >>> kept, folded = fold([Passage("a", "I moved to Munich."), Passage("b", "i moved  to munich.")])
    >>> [one.ref for one in kept], folded
    (['a'], 1)
    """
    given = list(passages)
    first: dict[tuple[str, str], Passage] = {}
    for one in given:
        first.setdefault((name_key(one.speaker or ""), name_key(one.text)), one)
    return list(first.values()), len(given) - len(first)


def _fitting(lines: Sequence[str], budget: int) -> list[str]:
    fitting, spent = [], 0
    for line in lines:
        spent += tokens(line) + 1
        if spent > budget:
            break
        fitting.append(line)
    return fitting


def _chosen(passages: Sequence[Passage], budget: int) -> tuple[list[Passage], int, int]:
    """What fits, in rank order; the first that does not is shortened if enough of it remains, smaller ones follow."""
    chosen: list[Passage] = []
    headed: set[tuple[str | None, str | None]] = set()
    left_out = shortened = 0
    for one in passages:
        head = (one.session, one.date)
        cost = tokens(_line(one)) + 1 + (0 if head in headed else tokens(f"[{one.date}]") + 2)
        if cost > budget and not shortened and budget >= LEAST:
            one = replace(one, text=_cut(one.text, budget - (cost - tokens(one.text))))
            shortened, cost = 1, budget
        if cost > budget:
            left_out += 1
            continue
        chosen.append(one)
        headed.add(head)
        budget -= cost
    return chosen, left_out, shortened


def _cut(text: str, budget: int) -> str:
    """The beginning of a text, in at most `budget` tokens, ended at a word."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(text[:middle]) < budget else (low, middle - 1)
    kept = text[:low]
    return (kept.rsplit(" ", 1)[0] if " " in kept else kept) + " …"


def _laid_out(chosen: Sequence[Passage]) -> list[str]:
    """Sessions in the order of their best passage; in each the turns in order, a gap shown by an ellipsis."""
    blocks: dict[tuple[str | None, str | None], list[Passage]] = {}
    for one in chosen:
        blocks.setdefault((one.session, one.date), []).append(one)
    lines: list[str] = []
    for (session, date), block in blocks.items():
        lines.append(f"[{date or 'undated'}]")
        last: Passage | None = None
        for one in sorted(block, key=lambda one: one.order):
            if last is not None and session is not None and one.previous != last.ref:
                lines.append("…")
            lines.append(_line(one))
            last = one
    return lines


def _line(one: Passage) -> str:
    return f"{one.speaker}: {one.text}" if one.speaker else one.text


def _section(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([heading, *lines]) if lines else ""


def _cuts(left_out: int, shortened: int, budget: int) -> str:
    said = [f"{left_out} left out"] * bool(left_out) + [f"{shortened} shortened"] * bool(shortened)
    return f"(cut to {budget} tokens: {', '.join(said)})" if said else ""
