"""Ending a contest from its line: a winner, all, each in its time, none; and taking the last resolution back."""

from collections.abc import Mapping, Sequence
from typing import Any

from hornbook.display.markup import Markup, said, short, tag
from hornbook.explore.parts import NONE, hidden, link, span, void, who
from hornbook.explore.visit import Visit
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Polarity
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.events import Actor

ACTOR = Actor("hornbook explore", "resolve")
LONGEST_REASON = 2_000
OTHERS = (
    ("all", "All of them hold", "the predicate takes several values from now on"),
    ("split", "Each in its own time", "give the times below"),
    ("none", "None of them holds", "all are withdrawn"),
)


def forms(visit: Visit, subject: str, predicate: str, claims: Sequence[Held]) -> Markup:
    """What can be done about a line; nothing in a session that only reads."""
    sides = disputed(claims)
    if visit.form is None:
        told = "Start hornbook explore with --write to resolve it here."
        return tag("p", told, class_="quiet") if sides else NONE
    if visit.known_at:
        told = "This is how it stood then. To resolve it, "
        return tag("p", told, link(visit.here(known_at=None), "look at it as known now"), ".", class_="quiet")
    if sides:
        return _resolve(visit, subject, predicate, sides)
    return _reopen(visit, subject, predicate) if len({one.side for one in claims}) > 1 else NONE


def disputed(claims: Sequence[Held]) -> tuple[tuple[Held, ...], ...]:
    """The sides of a contest: what people said that has rivals, by what it says."""
    sides: dict[tuple[str, Polarity], list[Held]] = {}
    for one in claims:
        if one.counts and one.external and one.state.rivals:
            sides.setdefault(one.side, []).append(one)
    return tuple(map(tuple, sides.values())) if len(sides) > 1 else ()


def _resolve(visit: Visit, subject: str, predicate: str, sides: Sequence[Sequence[Held]]) -> Markup:
    winners = [_choice(f"winner {told[-1].id}", _value(told[-1]), _by(told)) for told in sides]
    others = [_choice(*one) for one in OTHERS]
    return _form(
        visit,
        subject,
        predicate,
        tag("h2", "Resolve it"),
        tag("fieldset", tag("legend", "What holds?"), *winners, *others),
        _windows(sides),
        _reason("How do you know? It stays in the ledger."),
        tag("button", "Resolve", type="submit", class_="act"),
    )


def _reopen(visit: Visit, subject: str, predicate: str) -> Markup:
    told = "The sides are in dispute again, as they were before it was resolved last."
    form = _form(
        visit,
        subject,
        predicate,
        tag("p", told, class_="quiet"),
        *hidden({"outcome": "reopen"}),
        _reason("Why?"),
        tag("button", "Reopen", type="submit", class_="act"),
    )
    return tag("details", tag("summary", "Reopen what was resolved last"), form, class_="reopen")


def _form(visit: Visit, subject: str, predicate: str, *inside: Markup) -> Markup:
    assert visit.form is not None, "only a session that writes has forms"
    kept = {
        "secret": visit.form.secret,
        "subject": subject,
        "predicate": predicate,
        "seen": visit.as_known,
        "back": visit.to("/line", subject=subject, predicate=predicate),
    }
    return tag("form", *hidden(kept), *inside, method="post", action="/resolve", class_="settle")


def _choice(outcome: str, what: str, more: str) -> Markup:
    field = void("input", type="radio", name="outcome", value=outcome, required="")
    return tag("label", field, tag("span", tag("b", what), " ", tag("span", more, class_="quiet")), class_="choice")


def _value(one: Held) -> str:
    return f"{'not ' if one.polarity is Polarity.NOT else ''}{short(said(one.value), 80)}"


def _by(told: Sequence[Held]) -> str:
    speakers = ", ".join(dict.fromkeys(name for one in told if (name := who(one.claim))))
    return ", ".join(word for word in (span(told[-1].state.valid), speakers) if word)


def _windows(sides: Sequence[Sequence[Held]]) -> Markup:
    rows = [
        tag(
            "div",
            tag("b", _value(told[-1])),
            _date(f"from {told[-1].id}", "from", _end(told[-1].state.valid.start)),
            _date(f"until {told[-1].id}", "until", _end(told[-1].state.valid.end)),
            class_="times",
        )
        for told in sides
    ]
    return tag("details", tag("summary", "Times, for each in its own time"), *rows)


def _end(moment: object) -> str:
    return "" if moment is None else str(moment)


def _date(name: str, label: str, at: str) -> Markup:
    field = void("input", name=name, value=at, placeholder="2024-03", maxlength=64, autocomplete="off")
    return tag("label", tag("span", label), field)


def _reason(label: str) -> Markup:
    field = void("input", name="reason", required="", maxlength=LONGEST_REASON, autocomplete="off")
    return tag("label", tag("span", label), field, class_="reason")


def settle(visit: Visit, given: Mapping[str, str]) -> str:
    """Do what a form says; the address of the line to go back to.

    Conflict where the line has changed since the page was made: nothing is done, and the page is to be looked at anew.
    """
    names = _needed(given, "subject"), _needed(given, "predicate")
    outcome, _, winner = _needed(given, "outcome").partition(" ")
    visit.memory.resolve(
        *names,
        outcome,
        winner=winner or None,
        windows=_split(given) if outcome == "split" else None,
        reason=given.get("reason", "")[:LONGEST_REASON],
        unless_changed_since=_needed(given, "seen"),
        actor=ACTOR,
    )
    return given.get("back", "/")


def _needed(given: Mapping[str, str], name: str) -> str:
    if not (text := given.get(name, "").strip()):
        raise InvalidArgument(f"{name} is missing", field=name, hint="go back to the line and choose what holds")
    return text


def _split(given: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The window of each side, as the form says it."""
    windows: dict[str, dict[str, Any]] = {}
    for name, text in given.items():
        end, _, claim = name.partition(" ")
        if end in ("from", "until") and claim and text.strip():
            windows.setdefault(claim, {})["start" if end == "from" else "end"] = text.strip()
    return windows
