"""The SQL that keeps conclusions: what is not there yet is inserted, each row with one proof."""

from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning.sql import Shape, gaps


def insert_untimed(shape: Shape, candidates: str, first_id: int, fresh: bool) -> str:
    """Keep the conclusions that are not there yet. The proof is aggregated as one struct, or two would be mixed."""
    columns = ", ".join(shape.columns)
    proof = "{" + ", ".join(f"'{name}': {name}" for name in ("rule", *shape.proof)) + "}"
    picked = f"arg_min({proof}, u) AS proof, bool_and(u) AS u" if shape.doubtful else f"first({proof}) AS proof"
    parts = ["d.proof.rule", *(f"d.proof.{p}" for p in shape.proof), *(["d.u"] if shape.doubtful else [])]
    parts += [f"d.{column}" for column in shape.columns]
    same = " AND ".join(f"x.{c} = d.{c}" for c in shape.columns) + (" AND (d.u OR NOT x.u)" if shape.doubtful else "")
    known = "" if fresh else f" WHERE NOT EXISTS (SELECT 1 FROM {shape.table} AS x WHERE {same})"
    grouped = f"SELECT {columns}, {picked} FROM ({candidates}) GROUP BY {columns}"
    numbered = f"{first_id} - 1 + row_number() OVER ()"
    return f"INSERT INTO {shape.table} SELECT {numbered}, {', '.join(parts)} FROM ({grouped}) AS d{known}"


def insert_timed(shape: Shape, candidates: str, first_id: int, doubt: bool | None, fresh: bool) -> str:
    """Keep the parts of conclusions that no piece covers yet, as disjoint pieces.

    A sweep along each tuple: a candidate gives what lies past all that begin before it. `doubt` picks the certain or
    the uncertain candidates; certain ones look at certain pieces only.
    """
    columns = ", ".join(shape.columns)
    proof = ", ".join(["rule", *shape.proof])
    some = "" if doubt is None else " WHERE u" if doubt else " WHERE NOT u"
    chosen = f"SELECT {columns}, f, t, {proof} FROM ({candidates}){some}"
    if not fresh:
        chosen = _uncovered(shape, chosen, some if doubt is False else "")
    by = f"PARTITION BY {columns} ORDER BY f, t DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
    swept = f"SELECT *, coalesce(max(t) OVER ({by}), {ALWAYS}) AS reach FROM ({chosen})"
    flag = "" if doubt is None else f", {doubt}"
    numbered = f"{first_id} - 1 + row_number() OVER ()"
    return (
        f"INSERT INTO {shape.table} SELECT {numbered}, {proof}, greatest(f, reach), t{flag}, {columns} "
        f"FROM ({swept}) WHERE t > reach"
    )


def _uncovered(shape: Shape, chosen: str, among: str) -> str:
    """Candidates less the pieces that their tuples have already."""
    columns = ", ".join(shape.columns)
    same = " AND ".join(f"g.{c} = k.{c}" for c in shape.columns)
    touched = " AND ".join(f"k.{c} = x.{c}" for c in shape.columns)
    condition = f"{among} AND" if among else " WHERE"
    rows = f"SELECT {columns}, f, t FROM {shape.table} AS x{condition} EXISTS (SELECT 1 FROM k WHERE {touched})"
    start, end = f"greatest(k.f, coalesce(g.f, {ALWAYS}))", f"least(k.t, coalesce(g.t, {FOREVER}))"
    shown = ", ".join([f"k.{c}" for c in shape.columns] + [f"{start} AS f", f"{end} AS t", "k.rule"])
    shown += "".join(f", k.{p}" for p in shape.proof)
    free = gaps(rows, shape.columns)
    return (
        f"WITH k AS MATERIALIZED ({chosen}) SELECT {shown} FROM k LEFT JOIN ({free}) AS g ON {same} "
        f"WHERE {start} < {end}"
    )
