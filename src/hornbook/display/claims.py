"""Beliefs, claims, entities and contests as HTML."""

from collections.abc import Iterable, Sequence
from typing import Any

from hornbook.display.frame import coloured, framed, heading, known, moment, ref, soft, table
from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.graph.belief.belief import Belief, Slot
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Claim, Mood, Polarity
from hornbook.graph.claims.assert_claim import Outcome
from hornbook.graph.claims.believe import Answer
from hornbook.graph.claims.entity import Known
from hornbook.graph.claims.ledger import Audit, Entry, Told
from hornbook.graph.claims.list_contested import ContestedLine, Contests
from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import counted
from hornbook.graph.interval import ALWAYS, FOREVER

SIDES = ("", "value", "valid", "said by", "words", "confidence", "statements", "remarks", "claim")
CLAIMS = ("value", "valid", "disposition", "said by", "words", "known since", "confidence", "claim")
LEDGER = ("known since", "what", "disposition", "reason", "claim")


def answer(found: Answer) -> str:
    """One line: its status, the side that is believed, the others below it."""
    return framed(heading(f"{said(found.subject)} {found.predicate}", *_standing(found)), _sides(found))


def _standing(found: Answer) -> Iterable[object]:
    yield coloured(found.status)
    yield _value(found.primary) if found.primary else ""
    yield soft(", ".join(marker for marker in found.markers if marker != found.status))
    yield known(found.as_known)


def belief(found: Belief) -> str:
    """What a line says: its status, and its sides."""
    return framed(heading(coloured(found.status)), _sides(found))


def _sides(found: Answer | Belief) -> Markup:
    slots = found.slots if isinstance(found, Belief) else found.belief.slots
    return table(SIDES, (_side(slot, slot is found.primary) for slot in slots))


def _side(slot: Slot, believed: bool) -> Sequence[object]:
    claim = slot.held.claim
    return (
        "believed" if believed else coloured("Contested") if slot.contested else "also said",
        _value(slot),
        str(slot.valid),
        _by_whom(claim),
        _quote(claim.evidence),
        f"{slot.confidence:g}",
        slot.evidence_count,
        ", ".join([*slot.markers, *(["derived"] if "derived" in claim.extra else [])]),
        ref(slot.claim_ref),
    )


def _value(one: Slot | Held) -> Markup:
    claim = one.held.claim if isinstance(one, Slot) else one.claim
    denied = "not " if one.polarity is Polarity.NOT else ""
    mood = soft(f" ({claim.mood.value})") if claim.mood is not Mood.ASSERTED else Markup()
    return join([tag("b", denied, short(said(one.value))), mood])


def answers(found: Sequence[Answer]) -> str:
    """Several lines, one a row."""
    return framed(heading(counted(len(found), "line")), lines(found))


def lines(found: Iterable[Answer]) -> Markup:
    """Lines as a table: what each says, since when, and what else is said."""
    rows = (
        (
            one.predicate,
            coloured(one.status),
            _value(one.primary) if one.primary else "",
            str(one.primary.valid) if one.primary else "",
            join([_value(slot) for slot in one.alternatives], ", "),
        )
        for one in found
    )
    return table(("predicate", "status", "believed", "valid", "also said"), rows)


def told(found: Told) -> str:
    """A claim as it stands."""
    return held(found.held)


def held(one: Held) -> str:
    """A claim as a line sees it."""
    return framed(heading(f"{said(one.subject)} {one.predicate}"), table(CLAIMS, [_claim(one)]))


def slot(found: Slot) -> str:
    """A side of a line."""
    return framed(heading(f"{said(found.subject)} {found.held.predicate}"), table(SIDES, [_side(found, False)]))


def history(found: Sequence[Told]) -> str:
    """Claims in the order in which they became known, with what they are about."""
    subjects = dict.fromkeys(said(one.held.subject) for one in found)
    whose = f"of {short(next(iter(subjects)))}" if len(subjects) == 1 else ""
    columns = ("" if whose else "subject", "predicate", *CLAIMS)
    rows = (("" if whose else said(one.held.subject), one.held.predicate, *_claim(one.held)) for one in found)
    return framed(heading(counted(len(found), "claim"), whose), table(columns, rows))


def _claim(one: Held) -> Sequence[object]:
    claim = one.claim
    return (
        _value(one),
        str(one.state.valid),
        coloured(one.state.disposition.value),
        _by_whom(claim),
        _quote(claim.evidence),
        moment(rfc3339(one.known_at)),
        f"{claim.confidence:g}",
        ref(one.id),
    )


def outcome(found: Outcome) -> str:
    """What became of a claim, and why."""
    return framed(became(found))


def became(found: Outcome) -> Markup:
    """The same without its frame."""
    line = f"{said(found.subject)} {found.predicate}"
    rivals = join([ref(id_) for id_ in found.contested_with], ", ")
    against = join([Markup("contested with "), rivals]) if rivals else ""
    why = (soft(found.status_reason), *map(soft, found.notes))
    value = tag("b", short(said(found.value)))
    return heading(line, value, coloured(found.disposition.value), *why, against, ref(found.claim_ref))


def audit(found: Audit) -> str:
    """A page of the ledger, newest first."""
    more = soft("there are more") if found.next_cursor else ""
    return framed(heading(counted(len(found.entries), "decision"), more), table(LEDGER, map(_entry, found.entries)))


def entry(found: Entry) -> str:
    """One decision."""
    return framed(table(LEDGER, [_entry(found)]))


def _entry(entry: Entry) -> Sequence[object]:
    told = entry.as_dict()
    return (
        moment(told["recorded_at"]),
        told["event_kind"],
        coloured(entry.disposition or ""),
        told.get("reason", ""),
        ref(entry.claim_ref) if entry.claim_ref else "",
    )


def entity(found: Known) -> str:
    """An entity: its names, and what its lines say."""
    names = ", ".join(found.entity.aliases)
    more = (soft(found.entity.type or ""), soft(f"also {names}") if names else "", ref(found.entity.id))
    return framed(heading(found.entity.name, *more), lines(found.beliefs))


def contests(found: Contests) -> str:
    """What is in dispute, side by side."""
    more = soft("there are more") if found.next_cursor else ""
    count = counted(len(found.lines), "contested line")
    return framed(heading(count, more, known(found.as_known)), *map(_contested, found.lines))


def contested_line(found: ContestedLine) -> str:
    """One line in dispute."""
    return framed(_contested(found))


def _contested(found: ContestedLine) -> Markup:
    spans = ", ".join(piece(since, until) for since, until in found.dispute.spans)
    rows = ((_value(one), str(one.state.valid), *_by(one)) for side in found.dispute.sides for one in side.told)
    title = heading(f"{said(found.subject)} {found.predicate}", coloured("Contested"), soft(f"in dispute {spans}"))
    return join([title, table(("value", "valid", "said by", "words", "claim"), rows)])


def _by(one: Held) -> Sequence[Any]:
    return _by_whom(one.claim), _quote(one.claim.evidence), ref(one.id)


def piece(since: int, until: int) -> str:
    """A piece of valid time for people.

    >>> piece(0, FOREVER), piece(ALWAYS, 0), piece(ALWAYS, FOREVER)
    ('since 1970-01-01', 'until 1970-01-01', 'at all times')
    """
    ends = [moment(rfc3339(at)) for at in (since, until) if at not in (ALWAYS, FOREVER)]
    if len(ends) == 2:
        return " to ".join(ends)
    return f"{'since' if until == FOREVER else 'until'} {ends[0]}" if ends else "at all times"


def _by_whom(claim: Claim) -> str:
    return ", ".join(word for word in (claim.speaker, claim.source) if word)


def _quote(words: str | None) -> object:
    return tag("q", short(words)) if words else ""
