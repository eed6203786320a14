"""The first page: whose memory it is, what is in it, what is in dispute, what happened last."""

from collections.abc import Iterable, Mapping
from typing import Any

from hornbook.display.markup import Markup, join, short, tag
from hornbook.explore.parts import (
    NONE,
    entity,
    items,
    line_address,
    link,
    nothing,
    plain,
    ref,
    section,
    sentence,
    side,
    words,
)
from hornbook.explore.visit import Page, Visit
from hornbook.graph.claims.list_contested import ContestedLine
from hornbook.graph.displayed import counted
from hornbook.graph.errors import NotFound

LATEST = 40  # changes that are looked at for the page
SHOWN = 12
MOST = 100  # names, as many as are completed
COUNTED = (("entities", "entity", "entities"), ("lines", "line", "lines"), ("claims", "claim", "claims"))
QUIET = ("entity.recorded", "extraction.recorded", "entity.retyped", "event.redacted")  # they come with something else
KINDS = {
    "episode.recorded": "a text came in",
    "memory.recorded": "a memory was stored",
    "memory.moved": "a memory moved",
    "memory.revised": "a memory was revised",
    "memory.deleted": "a memory was deleted",
    "memory.restored": "a memory was restored",
    "claim.recorded": "said",
    "claim.changed": "a claim changed",
    "contest.resolved": "a contest was resolved",
    "contest.reopened": "a contest was reopened",
    "entities.merged": "two entities were made one",
    "entities.parted": "two entities were parted again",
    "rules.added": "rules were added",
    "rule.removed": "a rule was removed",
    "predicate.declared": "a predicate was declared",
    "extraction.failed": "a text could not be read",
    "transaction.undone": "something was taken back",
}


def start(visit: Visit) -> Page:
    """The first page."""
    stats = visit.memory.stats(**visit.known)
    head = tag("h1", f"The memory of {visit.memory.user}")
    if not stats["events"]:
        return Page("", join([head, nothing("Nothing is in it yet.", *_first_steps())]), "/")
    main = join(
        [
            head,
            tag("p", *_counted(visit, stats), class_="lead"),
            section("In dispute", _contested(visit), more=_all_contested(visit)),
            section("Who and what", _entities(visit)),
            section("Latest changes", _latest(visit)),
        ]
    )
    return Page("", main, "/")


def _first_steps() -> list[Markup]:
    return [Markup(" "), tag("code", "hornbook ingest PATH"), Markup(" reads files and folders into it.")]


def _counted(visit: Visit, stats: Mapping[str, Any]) -> Iterable[Markup]:
    counts = [f"{stats[name]} {one if stats[name] == 1 else many}" for name, one, many in COUNTED]
    counts.append(counted(stats["episodes"], "text"))
    counts.append(counted(len(visit.memory.list_rules(**visit.known)), "rule"))
    yield tag("span", " · ".join(counts))


def _all_contested(visit: Visit) -> Markup:
    return link(visit.to("/contested"), "all", class_="all")


def _contested(visit: Visit) -> Markup:
    found = visit.memory.contested(5, **visit.known)
    rows = [_disputed(visit, one) for one in found.lines]
    return items(rows, "items plain") if rows else nothing("Nothing is contested.")


def _disputed(visit: Visit, one: ContestedLine) -> Markup:
    about = tag("b", f"{short(one.subject, 60)} {plain(one.predicate)}")
    sides = " or ".join(side(last.value, last.polarity, 60) for last in (one.told[-1] for one in one.dispute.sides))
    return words([link(line_address(visit, one.subject, one.predicate), about), tag("span", sides)])


def _entities(visit: Visit) -> Markup:
    names = sorted(visit.memory.complete_name("", **visit.known), key=str.casefold)
    if not names:
        return nothing("Nobody and nothing is named yet.")
    more = nothing("These are the first; search for others.") if len(names) == MOST else NONE
    return join([items([entity(visit, name) for name in names], "items names"), more])


def _latest(visit: Visit) -> Markup:
    upto = _upto(visit)
    found = visit.memory.changes(cursor=str(max(upto - LATEST, 0)), limit=min(LATEST, max(upto, 1)))
    told = [one for one in found.changes if one["seq"] <= upto and one["kind"] not in QUIET]
    rows = [_change(visit, one) for one in reversed(told[-SHOWN:])]
    return items(rows, "items changes") if rows else NONE


def _upto(visit: Visit) -> int:
    """The last change that is known at the instant of the visit."""
    if not visit.known_at:
        return visit.head
    after = visit.memory.changes(visit.known_at, limit=1)
    return int(after.changes[0]["seq"]) - 1 if after.changes else int(after.next_cursor)


def _change(visit: Visit, change: Mapping[str, Any]) -> Markup:
    at = tag("time", change["known_at"][:16].replace("T", " "), datetime=change["known_at"])
    kind, what = change["kind"], NONE
    if change.get("erased"):
        what = tag("span", "something that has been erased", class_="quiet")
    elif kind == "claim.recorded":
        what = link(visit.to("/claim", ref=change["claim"]), _claim(visit, change["claim"]))
    elif kind == "episode.recorded":
        what = link(visit.to("/text", id=change["id"]), _excerpt(visit, change["id"]))
    elif isinstance(change.get("id"), str) and kind.startswith("memory."):
        what = link(visit.to("/text", id=change["id"]), "read it")
    elif change.get("reason"):
        what = tag("span", short(str(change["reason"]), 120))
    elif isinstance(change.get("claim"), str):
        what = ref(visit, change["claim"])
    return words([at, tag("span", KINDS.get(kind, kind), class_="kind"), what])


def _claim(visit: Visit, id_: str) -> str:
    one = visit.memory.claim_at(id_, **visit.known).held.claim
    return sentence(one.subject, one.predicate, one.value, one.polarity)


def _excerpt(visit: Visit, id_: str) -> str:
    try:
        text = " ".join(visit.memory.get(id_, **visit.known).content.split())
    except NotFound:  # it has been deleted since
        return "a text that is gone"
    return text if len(text) <= 90 else f"{text[:89]}…"
