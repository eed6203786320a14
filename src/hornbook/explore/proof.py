"""A proof as a tree that folds: what follows, by which rule, from which claims, in whose words."""

from hornbook.display.claims import piece
from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.explore.parts import NONE, link, nothing, plain, quote, readable, who, words
from hornbook.explore.visit import Visit
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning.explain import Explained
from hornbook.reasoning.proof import ANYTHING, Proof
from hornbook.reasoning.why_not import Absence, Attempt

NODES = 400  # of one proof
OPEN = 3  # levels that are open at first


def drawn(visit: Visit, found: Explained) -> Markup:
    """Every proof, or what came nearest to one."""
    if found.absence is not None and not found.holds:
        return absence(found.absence)
    if not found.holds:
        return nothing("It does not hold.")
    sure = "" if found.confidence is None else f"confidence {found.confidence:g}, that of its weakest premise"
    many = f"{len(found.proofs)} proofs" if len(found.proofs) > 1 else "one proof"
    told = tag("p", ", ".join(word for word in (many, sure) if word), class_="lead")
    return join([told, *(_tree(visit, found, one) for one in found.proofs)])


def _tree(visit: Visit, found: Explained, root: Proof) -> Markup:
    left = [NODES]
    tree = tag("ul", _node(visit, found, root, 0, left), class_="proof items")
    more = nothing("The proof goes on.") if left[0] < 0 else NONE
    return join([tree, more])


def _node(visit: Visit, found: Explained, node: Proof, depth: int, left: list[int]) -> Markup:
    """A node with what it rests on below it."""
    left[0] -= 1
    if left[0] < 0:
        return NONE
    head = words([_statement(node), tag("span", _remark(node), class_="quiet")])
    under = [_node(visit, found, child, depth + 1, left) for child in node.children]
    quoted = _words(visit, found, node)
    if not under:
        return tag("li", tag("div", head, class_="leaf"), quoted, class_=f"node of-{node.kind}")
    rule = tag("pre", f"by {node.rule}", class_="by-rule") if node.rule else NONE
    inside = [tag("summary", head), rule, quoted, tag("ul", *under)]
    return tag("li", tag("details", *inside, open="" if depth < OPEN else None), class_=f"node of-{node.kind}")


def _statement(node: Proof) -> Markup:
    """What holds, in words; of two terms as a sentence, which a reader takes in at once."""
    denied = "not " if node.kind == "absent" or node.predicate.startswith("-") else ""
    terms = ["anything" if term is ANYTHING else short(said(term), 80) for term in node.terms]
    name = plain(node.predicate.removeprefix("-"))
    if node.kind == "query":
        told = "all of these"
    elif len(terms) == 2:
        told = f"{terms[0]} {denied}{name} {terms[1]}"
    else:
        told = f"{denied}{name} {', '.join(terms)}"
    return tag("b", told, title=node.statement)


def _remark(node: Proof) -> str:
    reason = {"absent": "nothing says so", "aggregate": "counted", "interval": "joined"}.get(node.kind, "")
    doubt = "timing uncertain" if node.uncertain else ""
    cut = "not shown further" if node.partial else ""
    time = readable(piece(node.start, node.end)) if (node.start, node.end) != (ALWAYS, FOREVER) else ""
    return ", ".join(part for part in (time, reason, doubt, cut) if part)


def _words(visit: Visit, found: Explained, node: Proof) -> Markup:
    """The words that a claim was taken from, and the way to it."""
    if node.claim is None or node.claim not in found.claims:
        return NONE
    one = found.claims[node.claim]
    sure = tag("span", f"confidence {node.confidence:g}", class_="quiet")
    way = link(visit.to("/claim", ref=node.claim), "the claim")
    return tag("div", quote(one.claim.evidence, who(one.claim), 300), tag("p", way, sure), class_="words")


def absence(found: Absence) -> Markup:
    """Why something does not hold: the rules that came nearest, and where each of them failed."""
    if not found.attempts:
        return nothing("Nothing asserts it, and no rule concludes such a thing.")
    rows = [_attempt(one) for one in found.attempts[:20]]
    return join([tag("p", "It does not hold. The nearest:", class_="lead"), tag("ul", *rows, class_="proof items")])


def _attempt(one: Attempt) -> Markup:
    matched = f"{one.matched} of {one.parts} parts match"
    inside = [tag("p", "then ", tag("code", one.failed), f": {one.reason}", class_="failed")]
    return tag(
        "li",
        tag("details", tag("summary", tag("code", one.rule), tag("span", matched, class_="quiet")), *inside, open=""),
    )
