"""Rules, questions to them, and proofs as trees that fold."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hornbook.display.markup import Markup, join, short, tag
from hornbook.explore.parts import NONE, hidden, items, link, names_of, nothing, section, table, thing, void
from hornbook.explore.proof import drawn
from hornbook.explore.visit import CLOCKS, Page, Visit
from hornbook.graph.displayed import counted
from hornbook.reasoning.asking import Asked

ROWS = 100
LONGEST = 4_000  # characters of a question in an address
WORDS = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*(?!\s*\()\b')
EXAMPLE = 'lives_in(x, "Munich")'


def rules(visit: Visit) -> Page:
    """The rules in force, and a place to ask."""
    listed = visit.memory.list_rules(**visit.known)
    rows = [
        join([tag("pre", one.text, class_="rule"), _ask_for(visit, one.text), tag("span", one.pack or "", class_="by")])
        for one in listed
    ]
    count = tag("span", counted(len(rows), "rule"), class_="quiet")
    none = nothing("There are no rules. ", tag("code", "hornbook rules FILE"), " adds some.")
    in_force = section("In force", items(rows, "items cards"), more=count) if rows else none
    main = join([tag("h1", "Rules and questions"), _question(visit, ""), in_force])
    return Page("Rules", main, "/rules")


def _ask_for(visit: Visit, rule: str) -> Markup:
    """The way to what a rule concludes; a denial and a declaration conclude nothing."""
    head = rule.partition(":-")[0].strip().rstrip(".")
    if not head or ":-" not in rule:
        return NONE
    return link(visit.to("/ask", query=head), "what follows", class_="ask")


def _question(visit: Visit, asked: str) -> Markup:
    """The form for a question: in the language of rules, as the command takes it."""
    label = tag("span", "A question in the language of rules")
    field = void(
        "input",
        name="query",
        value=asked,
        placeholder=EXAMPLE,
        maxlength=LONGEST,
        spellcheck="false",
        autocomplete="off",
        class_="code",
    )
    clocks = hidden({name: visit.given.get(name, "") for name in CLOCKS})
    buttons = [
        tag("button", "Ask", type="submit"),
        tag("button", "Why?", type="submit", formaction="/why", title="the proof, or why there is none"),
    ]
    return tag("form", tag("label", label, field), *clocks, *buttons, action="/ask", class_="question")


def ask(visit: Visit) -> Page:
    """The answers to a question, each with the way to its proof."""
    asked = visit.asked("query", LONGEST)
    if not asked:
        return rules(visit)
    found = visit.memory.ask(asked, ROWS, visit.asked("cursor", 100) or None, **visit.clocks)
    head = [tag("h1", "Asked"), _question(visit, asked)]
    if not found.columns:
        answer = tag(
            "p", tag("b", "Yes" if found else "No"), ". ", link(visit.to("/why", fact=asked), _why(bool(found)))
        )
        return Page("Asked", join([*head, answer]), "/rules")
    told = nothing("Nothing answers it. ", link(visit.to("/why", fact=asked), _why(False)))
    return Page("Asked", join([*head, _answers(visit, asked, found) if found.rows else told]), "/rules")


def _why(holds: bool) -> str:
    return "Why?" if holds else "Why not?"


def _answers(visit: Visit, asked: str, found: Asked) -> Markup:
    names = names_of(visit, (term for row in found.rows for term in row))
    rows = [
        (
            *(thing(visit, term, names) for term in row),
            tag("span", "timing uncertain", class_="marker") if number in found.uncertain else "",
            link(visit.to("/why", fact=bound(asked, found.columns, row)), "why"),
        )
        for number, row in enumerate(found.rows)
    ]
    more = (
        tag("p", link(visit.here(cursor=found.next_cursor), "More", rel="next"), class_="more")
        if found.next_cursor
        else NONE
    )
    count = tag("p", counted(len(rows), "row"), class_="quiet")
    return join([count, table((*found.columns, "", ""), rows, "answers"), more])


def bound(question: str, columns: Sequence[str], row: Sequence[Any]) -> str:
    """A question with one answer put in the place of its variables.

    >>> bound('aunt(x, "x"), n > 3', ("x", "n"), ("Ana", 4))
    'aunt("Ana", "x"), 4 > 3'
    """
    values = dict(zip(columns, row, strict=True))
    return WORDS.sub(lambda found: _written(found[0], values), question)


def _written(word: str, values: Mapping[str, Any]) -> str:
    return json.dumps(values[word], ensure_ascii=False) if word in values else word


def why(visit: Visit) -> Page:
    """The proof of a fact as a tree, or why it does not hold."""
    asked = visit.asked("fact", LONGEST) or visit.asked("query", LONGEST)
    if not asked:
        return rules(visit)
    found = visit.memory.why(asked, proofs=3, **visit.clocks)
    title = "Why" if found.holds else "Why not"
    question = NONE if _is_ref(asked) else _question(visit, asked)
    head = tag("h1", title, " ", tag("code", short(found.explanation.asked, 200)), class_="asked")
    return Page(f"{title} {short(found.explanation.asked, 60)}", join([head, question, drawn(visit, found)]), "/rules")


def _is_ref(asked: str) -> bool:
    return "(" not in asked
