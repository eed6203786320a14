"""Proofs, answers of rules, rules and errors as HTML."""

from collections.abc import Sequence

from hornbook.display.frame import framed, heading, known, ref, soft, table
from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.graph.belief.state import Held
from hornbook.graph.displayed import counted
from hornbook.graph.errors import HornbookError
from hornbook.reasoning.adding import Added
from hornbook.reasoning.asking import Asked
from hornbook.reasoning.errors import Located
from hornbook.reasoning.explain import Explained
from hornbook.reasoning.proof import Explanation, Proof, when
from hornbook.reasoning.rulebook import Rulebook, Stated
from hornbook.reasoning.why_not import Absence

NODES = 300  # of a proof that are drawn; a larger one is to be asked for with a smaller depth


def explained(found: Explained) -> str:
    """Every proof as a tree, its claims with the words they were taken from; or why it does not hold."""
    if found.absence is not None:
        return absence(found.absence)
    return framed(*_proofs(found.explanation, {ref: _words(held) for ref, held in found.claims.items()}))


def _words(one: Held) -> str:
    names = ", ".join(word for word in (one.claim.speaker, one.claim.source) if word)
    quote = f"“{short(one.claim.evidence)}”" if one.claim.evidence else ""
    return " ".join([*([quote] if quote else []), *([f"({names})"] if names else [])])


def _proofs(found: Explanation, quotes: dict[str, str]) -> list[Markup]:
    sure = f"confidence {found.confidence:g}" if found.confidence is not None else ""
    title = heading(found.asked, "holds" if found.holds else "does not hold", soft(sure))
    return [title, *(_tree(one, quotes) for one in found.proofs)]


def _tree(root: Proof, quotes: dict[str, str]) -> Markup:
    left = [NODES]
    drawn = tag("ul", _node(root, quotes, left))
    return drawn if left[0] >= 0 else join([drawn, soft("… the proof goes on; ask for a smaller depth")])


def _node(node: Proof, quotes: dict[str, str], left: list[int]) -> Markup:
    """A node with what it rests on; where too many are drawn already, nothing."""
    left[0] -= 1
    if left[0] < 0:
        return Markup()
    under = [_node(child, quotes, left) for child in node.children]
    below = tag("ul", "\n", *under) if under else "\n"
    return tag("li", tag("code", node.statement), *_remarks(node, quotes), below)


def _remarks(node: Proof, quotes: dict[str, str]) -> list[Markup]:
    """When a node holds, why, and of a claim the words."""
    reason = {"claim": f"confidence {node.confidence:g}", "absent": "nothing says so"}.get(node.kind, "")
    by = f"by {node.rule}" if node.rule and not reason else ""
    doubt = "timing uncertain" if node.uncertain else ""
    words = quotes.get(node.claim or "", "")
    parts = (when(node.start, node.end), by, words, reason, doubt, "…" if node.partial else "")
    return [*(soft(f"  {part}") for part in parts if part), *([Markup("  "), ref(node.claim)] if node.claim else [])]


def explanation(found: Explanation) -> str:
    """Proofs without the words that their claims were taken from."""
    return framed(*_proofs(found, {}))


def proof(found: Proof) -> str:
    """One proof as a tree."""
    return framed(_tree(found, {}))


def absence(found: Absence) -> str:
    """Why something does not hold."""
    return framed(tag("pre", found.text()))


def asked(found: Asked) -> str:
    """The rows of a question."""
    if not found.columns:
        return framed(heading("yes" if found else "no", known(found.as_known)))
    count = counted(len(found.rows), "row")
    more = "there are more" if found.truncated else ""
    rows = [tuple(short(said(value)) for value in row) for row in found.rows]
    return framed(heading(count, more, known(found.as_known)), table(found.columns, rows))


def added(found: Added) -> str:
    """The rules of a program, what more is derived with them, and what to look at again."""
    warnings = [tag("div", f"line {one['line']}: {one['message']}", "\n", class_="bad") for one in found.warnings]
    title = heading(counted(len(found.rules), "rule"), f"{found.derived} derived", f"{found.withdrawn} withdrawn")
    return framed(title, *warnings, _rules(found.rules))


def stated(found: Stated) -> str:
    """A rule in force."""
    return framed(_rules([found]))


def rulebook(found: Rulebook) -> str:
    """The rules in force."""
    return framed(heading(counted(len(found), "rule")), _rules(found))


def _rules(rules: Sequence[Stated]) -> Markup:
    rows = ((tag("code", rule.text), rule.pack or "", ref(rule.rule_id)) for rule in rules)
    return table(("rule", "pack", "id"), rows)


def error(found: HornbookError) -> str:
    """What is wrong, where, and how to mend it."""
    if isinstance(found, Located):
        return framed(tag("pre", found.report(), class_="bad"))
    field = f"in {found.field}" if found.field else ""
    valid = f"valid: {', '.join(found.valid)}" if found.valid else ""
    title = heading(type(found).__name__, field)
    return framed(
        title, tag("div", found.message, class_="bad"), *(soft(f"{one} ") for one in (found.hint, valid) if one)
    )
