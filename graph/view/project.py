"""What an event means for the graph: a pure function from event to ops. No engine is needed to read this page."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import ALWAYS, FOREVER, TRUSTED, Interval
from hornbook.graph.names import name_key
from hornbook.graph.view.log import dumped, entry
from hornbook.graph.view.ops import Link, Op, Put, Set, Unlink

Body = Mapping[str, Any]


class Recorded(Protocol):
    """The part of a journal event that the graph looks at; an erased event has no body."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def body(self) -> Body | None: ...


def project(event: Recorded) -> tuple[Op, ...]:
    """The ops of one event, in order; none for a kind that the graph does not show.

    >>> from hornbook.graph.events import Actor, Event
    >>> body = {"entity": "e1", "alias": "Annie", "key": "annie", "reason": ""}
    >>> [type(op).__name__ for op in project(Event(5, 1, 0, "x", "", "entity.aliased", 1, Actor(), body))]
    ['Put', 'Link', 'Set']
    """
    return tuple(projected(event.seq, event.kind, event.body))


def projected(seq: int, kind: str, body: Body | None) -> Iterable[Op]:
    """The same of the parts of an event."""
    shown = PROJECTIONS.get(kind)
    return shown(seq, body) if shown and body is not None else ()


def window(valid: Body) -> tuple[int, int]:
    """The widest window that an interval can have: what is not trusted is open, a coarse end is the end of its period.

    >>> window({"start": None, "end": {"at": 5, "granularity": "instant"}, "confidence": 0.9})
    (-4611686018427387904, 5)
    """
    start, end = valid["start"], valid["end"]
    since = start["at"] if start and valid["confidence"] >= TRUSTED else ALWAYS
    return since, _moment(end).latest if end and _end_trusted(valid) else FOREVER


def _end_trusted(valid: Body) -> bool:
    ends = valid.get("end_confidence")  # an end that came from elsewhere than the start has a confidence of its own
    return bool((valid["confidence"] if ends is None else ends) >= TRUSTED)


def _moment(wire: Body) -> Moment:
    return Moment(wire["at"], Granularity(wire["granularity"]))


def _episode(seq: int, body: Body) -> Iterator[Op]:
    kept = {
        key: value for key, value in body.items() if key != "content"
    }  # the text itself stands once, in the journal
    yield Put(
        "Item",
        body["id"],
        {
            "seq": seq,
            "kind": "episode",
            "lifecycle": "recorded",
            "changed": seq,
            "data": dumped(kept),
            "log": entry(seq, {"deleted": False}),
        },
    )
    if body["previous"]:
        yield Link("Joins", body["previous"], body["id"], seq, {"kind": "next"})
    if body["session"]:
        key = f"session|{body['session']}"
        yield Put("Meta", key, {"kind": "session", "seq": seq, "value": "", "log": ""}, if_absent=True)
        yield Set("Meta", key, {"value": body["id"]})


def _memory(seq: int, body: Body) -> Iterator[Op]:
    state = {"lifecycle": body["state"], "episode": body["episode"], "metadata": body["metadata"], "deleted": False}
    yield Put(
        "Item",
        body["id"],
        {
            "seq": seq,
            "kind": "memory",
            "lifecycle": body["state"],
            "changed": seq,
            "data": dumped(body),
            "log": entry(seq, state),
        },
    )
    yield Link("Joins", body["id"], body["episode"], seq, {"kind": "of"})
    for episode in body.get("summarises", ()):
        yield Link("Joins", body["id"], episode, seq, {"kind": "sums"})
    if body["claim"]:  # whichever of the memory and its claim comes second finds the other and makes the link
        yield Link("Evidence", body["claim"], body["id"], seq)


def _moved(seq: int, body: Body) -> Iterator[Op]:
    patch = {"lifecycle": body["state"], "reason": body["reason"], "because": body["because"]}
    yield _patch("Item", body["memory"], seq, patch, lifecycle=body["state"])


def _revised(seq: int, body: Body) -> Iterator[Op]:
    yield Unlink("Joins", body["memory"], None, {"kind": "of"}, seq)
    yield Link("Joins", body["memory"], body["episode"], seq, {"kind": "of"})
    patch = {"episode": body["episode"], "reason": body["reason"], "past": [body["was"]] if body.get("was") else []}
    if body["metadata"] is not None:
        patch["metadata"] = body["metadata"]
    yield _patch("Item", body["memory"], seq, patch)


def _deleted(seq: int, body: Body) -> Iterator[Op]:
    yield _patch("Item", body["memory"], seq, {"deleted": True, "reason": body["reason"]}, lifecycle="deleted")


def _restored(seq: int, body: Body) -> Iterator[Op]:
    patch = {"deleted": False, "lifecycle": body["state"], "reason": body["reason"]}
    if body["state"] is None:  # an episode has no lifecycle of its own
        del patch["lifecycle"]
    yield _patch("Item", body["memory"], seq, patch, lifecycle=body["state"] or "recorded")


def _patch(table: str, node: str, seq: int, patch: Body, **columns: Any) -> Set:
    return Set(table, node, {**columns, "changed": seq}, entry(seq, patch))


def _entity(seq: int, body: Body) -> Iterator[Op]:
    state = {"name": body["name"], "type": body["type"], "aliases": list(body["aliases"]), "merged_into": None}
    columns = {"seq": seq, "name": body["name"], "key": name_key(body["name"]), "type": body["type"]}
    yield Put("Entity", body["id"], {**columns, "changed": seq, "log": entry(seq, state)})
    for key in dict.fromkeys(body["keys"]):
        yield from _named(seq, key, body["id"])


def _named(seq: int, key: str, entity: str) -> Iterator[Op]:
    yield Put("Name", key, {"seq": seq}, if_absent=True)
    yield Link("Names", key, entity, seq)


def _aliased(seq: int, body: Body) -> Iterator[Op]:
    yield from _named(seq, body["key"], body["entity"])
    yield _patch("Entity", body["entity"], seq, {"aliases": [body["alias"]]})


def _retyped(seq: int, body: Body) -> Iterator[Op]:
    yield _patch("Entity", body["entity"], seq, {"type": body["type"]}, type=body["type"])


def _retired(seq: int, body: Body) -> Iterator[Op]:
    for key in dict.fromkeys(body["keys"]):
        yield Unlink("Names", key, body["entity"], {}, seq)
    retired = {"retired": True} if body["whole"] else {}
    yield _patch("Entity", body["entity"], seq, {**retired, "dropped": [*body["aliases"]]})


def _entity_restored(seq: int, body: Body) -> Iterator[Op]:
    for key in dict.fromkeys(body["keys"]):
        yield from _named(seq, key, body["entity"])
    retired = {"retired": False} if body["whole"] else {}
    yield _patch("Entity", body["entity"], seq, {**retired, "aliases": [*body["aliases"]]})


def _merged(seq: int, body: Body) -> Iterator[Op]:
    yield from _handed_over(seq, body, body["merged"], body["kept"])
    yield _patch("Entity", body["merged"], seq, {"merged_into": body["kept"]})
    yield _patch("Entity", body["kept"], seq, {"absorbed": [body["merged"]]})


def _parted(seq: int, body: Body) -> Iterator[Op]:
    yield from _handed_over(seq, body, body["kept"], body["merged"])
    yield _patch("Entity", body["merged"], seq, {"merged_into": None})
    yield _patch("Entity", body["kept"], seq, {"released": [body["merged"]]})


def _handed_over(seq: int, body: Body, giver: str, taker: str) -> Iterator[Op]:
    for key in dict.fromkeys(body["keys"]):
        yield Unlink("Names", key, giver, {}, seq)
        yield Link("Names", key, taker, seq)
    for move in body["moves"]:
        side = {"value_key": move["value_key"], "mirrored": move["mirrored"]}
        yield Unlink("OnLine", move["from"], move["claim"], {"mirrored": move["mirrored"]}, seq)
        yield _line(seq, move["to"])
        yield Link("OnLine", move["to"], move["claim"], seq, side)


def _line(seq: int, line: str) -> Put:
    entity, _, predicate = line.partition("|")
    columns = {"seq": seq, "entity": entity, "predicate": predicate}
    return Put("Line", line, columns, if_absent=True, links=(Link("Has", entity, line, seq),))


def _claim(seq: int, body: Body) -> Iterator[Op]:
    claim = body["claim"]
    for place in body["lines"]:
        yield _line(seq, place["line"])
    written = {
        "seq": seq,
        "polarity": claim["polarity"],
        "external": claim["provenance"].startswith("External"),
        "asserted": claim["mood"] == "asserted",
        "subject": claim["subject"],
        "value": dumped(claim["value"]),
        "confidence": float(claim["confidence"]),
        "provenance": claim["provenance"],
        "free": claim.get("channel") == "extracted" and claim.get("cardinality") is None,
        "attested_at": _attested(claim),
        "log": entry(seq, body["state"]),
    }
    written.update(_standing(seq, body["state"]))
    yield Put("Claim", claim["id"], written)
    for place in body["lines"]:
        side = {"value_key": place["value_key"], "mirrored": place["mirrored"]}
        yield Link("OnLine", place["line"], claim["id"], seq, side)
    for item in dict.fromkeys((claim["episode"], body["memory"])):
        if item:
            yield Link("Evidence", claim["id"], item, seq)
    if body["value_entity"]:
        yield Link("Says", claim["id"], body["value_entity"], seq)
    for premise in dict.fromkeys(claim["derived_from"]):
        yield Link("Bears", claim["id"], premise, seq, {"kind": "rests_on"})
    if body["repeats"]:
        yield Link("Bears", claim["id"], body["repeats"], seq, {"kind": "repeats"})


def _attested(claim: Body) -> int | None:
    """As `Claim.attested_at` has it."""
    said = claim.get("occurred_at")
    return said["at"] if said and (claim.get("present", True) or claim.get("intent") == "update") else None


def _standing(seq: int, state: Body) -> dict[str, Any]:
    """What is decided about a claim; its window as it was said, whether it is trusted or not."""
    valid = state["valid"]
    start, end = valid["start"], valid["end"]
    since, until = window(valid)
    return {
        "live": state["live"],
        "since": since,
        "until": until,
        "disposition": state["disposition"],
        "disputed": bool(state["rivals"]),
        "start_at": start["at"] if start else None,
        "start_as": start["granularity"] if start else None,
        "end_at": end["at"] if end else None,
        "end_as": end["granularity"] if end else None,
        "stop_at": Interval(_moment(start) if start else None, _moment(end)).until if end else FOREVER,
        "firm": not end or _end_trusted(valid),
        "changed": seq,
    }


def _changed(seq: int, body: Body) -> Iterator[Op]:
    yield Set("Claim", body["claim"], _standing(seq, body["state"]), entry(seq, body["state"]))


def _noted(kind: str, key: str) -> Callable[[int, Body], Iterator[Op]]:
    """Events that are kept as they are, by the thing they are about: `key` names it in the body."""

    def noted(seq: int, body: Body) -> Iterator[Op]:
        yield from _note(kind, body[key], seq, body)

    return noted


def _note(kind: str, about: str, seq: int, value: Any) -> Iterator[Op]:
    node = f"{kind}|{about}"
    yield Put("Meta", node, {"kind": kind, "seq": seq, "value": "", "log": ""}, if_absent=True)
    yield Set("Meta", node, {}, entry(seq, value))


def _resolved(seq: int, body: Body) -> Iterator[Op]:
    yield from _note("contest", body["line"], seq, {"kind": "contest.resolved", **body})


def _reopened(seq: int, body: Body) -> Iterator[Op]:
    yield from _note("contest", body["line"], seq, {"kind": "contest.reopened", **body})


def _rules_added(seq: int, body: Body) -> Iterator[Op]:
    for rule in body["rules"]:
        yield from _note("rule", rule["rule_id"], seq, rule)


def _rule_removed(seq: int, body: Body) -> Iterator[Op]:
    yield from _note("rule", body["rule_id"], seq, None)


def _extracted(seq: int, body: Body) -> Iterator[Op]:
    for mention in body["mentions"]:
        yield Link("Mentions", body["episode"], mention["entity"], seq, {"quote": mention["quote"]})
    extraction = {"extractor": body["extractor"], "claims": body["claims"], "error": None}
    yield _patch("Item", body["episode"], seq, {"extraction": extraction})


def _not_extracted(seq: int, body: Body) -> Iterator[Op]:
    extraction = {"extractor": body["extractor"], "claims": 0, "error": body["error"]}
    yield _patch("Item", body["episode"], seq, {"extraction": extraction})


PROJECTIONS: dict[str, Callable[[int, Body], Iterator[Op]]] = {
    "episode.recorded": _episode,
    "memory.recorded": _memory,
    "memory.moved": _moved,
    "memory.revised": _revised,
    "memory.deleted": _deleted,
    "memory.restored": _restored,
    "entity.recorded": _entity,
    "entity.aliased": _aliased,
    "entity.retyped": _retyped,
    "entity.retired": _retired,
    "entity.restored": _entity_restored,
    "entities.merged": _merged,
    "entities.parted": _parted,
    "claim.recorded": _claim,
    "claim.changed": _changed,
    "predicate.declared": _noted("predicate", "predicate"),
    "contest.resolved": _resolved,
    "contest.reopened": _reopened,
    "oracle.asked": _noted("question", "question"),
    "oracle.answered": _noted("question", "question"),
    "oracle.expired": _noted("question", "question"),
    "rules.added": _rules_added,
    "rule.removed": _rule_removed,
    "extraction.recorded": _extracted,
    "extraction.failed": _not_extracted,
}
