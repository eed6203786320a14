"""A mempill database: its claims in the order in which they came, and what was said about when they ended.

What mempill decided is not taken over: every claim goes through the gate here, with the provenance, the confidence,
the window and the time at which it was said there. Claims that were struck out there stay there.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hornbook.extraction.importers.brought import Brought, Ended, Left, Stated
from hornbook.extraction.importers.sqlite_file import moment, rows, tables
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.errors import InvalidArgument

SYSTEM = "mempill"
CLAIMS = """
    SELECT c.*, (SELECT l.disposition FROM ledger_entries l WHERE l.claim_id = c.claim_id
                 ORDER BY l.recorded_at DESC, l.rowid DESC LIMIT 1) AS disposition
    FROM claims c ORDER BY c.tx_time, c.rowid
"""
BOUNDS = """
    SELECT v.*, c.subject, c.predicate, c.value
    FROM validity_assertions v JOIN claims c ON c.claim_id = v.target_claim_id
    WHERE v.rowid = (SELECT max(o.rowid) FROM validity_assertions o WHERE o.target_claim_id = v.target_claim_id)
    ORDER BY v.asserted_at, v.rowid
"""
PROVENANCE = {
    "External_UserAsserted": "External:UserAsserted",
    "External_ExternalFirstHand": "External:ExternalFirstHand",
    "ModelDerived": "ModelDerived",
    "RecallReEntry": "RecallReEntry",
}
STRUCK_OUT = ("Invalidated", "Rejected", "Quarantined")


def read_mempill(path: Path, owner: str) -> Iterator[Brought]:
    """The claims, then the ends; and what there is besides."""
    there = tables(path, SYSTEM)
    if not {"claims", "validity_assertions", "ledger_entries"} <= there:
        raise InvalidArgument("the file is not a database of mempill", field="path", hint="name agent_NAME.db")
    for row in rows(path, CLAIMS, SYSTEM):
        if row["disposition"] in STRUCK_OUT:
            yield Left("a claim", f"it was {row['disposition']} there")
        elif row["provenance_label"] not in PROVENANCE:
            yield Left("a claim", f"its provenance '{str(row['provenance_label'])[:40]}' is not known here")
        else:
            yield _claim(row)
    for row in rows(path, BOUNDS, SYSTEM):
        if row["assertion_kind"] == "Bound" and (at := _bound(row)) is not None:
            value = json.loads(row["value"])
            provenance = PROVENANCE.get(row["provenance_label"], "ModelDerived")
            yield Ended(row["assertion_id"], row["subject"], row["predicate"], value, at, provenance)
    yield from _besides(path, there)


def _bound(row: Mapping[str, Any]) -> Moment | None:
    at = moment(row["bound_at"])
    known = {kind.value for kind in Granularity}
    granularity = row.get("bound_at_granularity")
    return at if at is None or granularity not in known else Moment(at.at, Granularity(granularity))


def _claim(row: Mapping[str, Any]) -> Stated:
    extra = {"imported": {"from": SYSTEM, "id": row["claim_id"], "recorded_at": row["tx_time"]}}
    given: dict[str, Any] = {
        "provenance": PROVENANCE[row["provenance_label"]],
        "confidence_value": round(float(row["value_confidence"]), 6),
        "criticality": row["criticality"],
        "cardinality": row["cardinality"],
        "occurred_at": moment(row["tx_time"]),
        "valid_time": _window(row),
        "agent": row["agent_id"],
        "extra": extra,
    }
    rests_on = tuple(json.loads(row["derived_from"] or "[]"))
    value = json.loads(row["value"])
    return Stated(row["claim_id"], row["subject"], row["predicate"], value, given, rests_on)


def _window(row: Mapping[str, Any]) -> dict[str, Any] | None:
    if row["valid_time_start"] is None and row["valid_time_end"] is None:
        return None
    window: dict[str, Any] = {"valid_time_confidence": round(float(row["valid_time_confidence"]), 6)}
    for end in ("start", "end"):
        if row[f"valid_time_{end}"] is not None:
            window[end] = row[f"valid_time_{end}"]
            granularity = row.get(f"valid_time_{end}_granularity")
            window |= {f"{end}_granularity": granularity} if granularity else {}
    return window


def _besides(path: Path, there: frozenset[str]) -> Iterator[Left]:
    for table, what, why in (
        ("ledger_entries", "entries of its ledger", "every claim is decided on anew here"),
        ("pending_adjudications", "questions to its oracle", "they can be put again here with reconcile"),
    ):
        if table in there:
            (found,) = rows(path, f"SELECT count(*) AS many FROM {table}", SYSTEM)
            if found["many"]:
                yield Left(what, why, found["many"])
