"""Rules measured: deep and wide recursion, five rules over a memory's claims, and the withdrawal of one claim.

    python benchmarks/reasoning.py            the sizes that take about a minute
    python benchmarks/reasoning.py --full     also 50,000 random edges and 1,000,000 claims

Times are CPU seconds of this process, all threads together. Beside ours, in the same run: the same joins written by
hand for DuckDB, recording rule and premise ids as we do; and `clingo` and `nemo-python` where they are installed.
"""

import argparse
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa

from hornbook.graph.interval import FOREVER
from hornbook.reasoning.compiled import compile
from hornbook.reasoning.duck import Engine
from hornbook.reasoning.duck_load import connect
from hornbook.reasoning.evaluate import Result
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.maintain import update
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.prove import why
from hornbook.reasoning.relation import arity_of
from hornbook.reasoning.terms import key_of

LIMITS = Limits(derived=50_000_000, memory="6GB")
CLOSURE = "path(x, y) :- edge(x, y). path(x, z) :- path(x, y), edge(y, z)."
GENERATION = "sg(x, y) :- up(x, p), up(y, p), x != y. sg(x, y) :- up(x, p), sg(p, q), up(y, q)."
MEMORY = """
loc(x, y) :- located_in(x, y).
loc(x, z) :- loc(x, y), located_in(y, z).
works_in(p, y) :- employed_by(p, c), hq(c, z), loc(z, y).
unplaced(p) :- employed_by(p, c), not hq(c, _).
contested_birth(p, a, b) :- born_in(p, a), born_in(p, b), a < b.
"""
Pairs = dict[str, np.ndarray]


@dataclass
class Spent:
    """CPU and wall seconds."""

    cpu: float = 0.0
    wall: float = 0.0


@contextmanager
def measured() -> Iterator[Spent]:
    """What a block costs."""
    spent, cpu, wall = Spent(), time.process_time(), time.perf_counter()
    yield spent
    spent.cpu, spent.wall = time.process_time() - cpu, time.perf_counter() - wall


def row(name: str, spent: Spent, *notes: object) -> None:
    """One line of the report."""
    print(f"{name:<44} {spent.cpu:8.2f} s CPU {spent.wall:8.2f} s wall   {'  '.join(map(str, notes))}", flush=True)


# ---- data


def chain(length: int) -> Pairs:
    """One long path."""
    return {"edge": np.column_stack([np.arange(length - 1), np.arange(1, length)])}


def random_graph(edges: int) -> Pairs:
    """As many random edges as nodes, a little under the point where everything is connected."""
    rng = np.random.default_rng(1)
    return {"edge": rng.integers(0, int(edges * 1.1), (edges, 2))}


def tree(nodes: int, fan: int) -> Pairs:
    """A tree: each node's parent."""
    children = np.arange(1, nodes)
    return {"up": np.column_stack([children, (children - 1) // fan])}


def memory(claims: int) -> Pairs:
    """Mostly persons with an employer and a birthplace, a few with two; a forest of places five to six deep."""
    rng = np.random.default_rng(2)
    people, companies, places = int(claims * 0.46), int(claims * 0.02), int(claims * 0.05)
    place0, company0, person0 = 0, places, places + companies
    fan, roots = 4, max(places // 2_000, 1)
    inner = np.arange(roots, places)
    located = np.column_stack([inner, place0 + np.maximum((inner - roots) // fan, 0)])
    seated = rng.permutation(companies)[: int(companies * 0.9)]
    hq = np.column_stack([company0 + seated, rng.integers(0, places, len(seated))])
    persons = person0 + np.arange(people)
    employed = np.column_stack([persons, company0 + rng.integers(0, companies, people)])
    twice = rng.choice(persons, max(claims - 2 * people - len(located) - len(hq), 0))
    born = np.concatenate([persons, twice])
    return {
        "located_in": located,
        "hq": hq,
        "employed_by": employed,
        "born_in": np.column_stack([born, rng.integers(0, places, len(born))]),
    }


def relations(pairs: Pairs, timed: bool = False) -> dict[str, Any]:
    """The pairs as relations of texts, as the memory gives them; `timed` gives most claims a start, some an end."""
    made, rng = {}, np.random.default_rng(4)
    for name, rows in pairs.items():
        rows = np.unique(rows, axis=0)
        columns = {f"k{n}": pa.array(np.char.mod('"n%07d"', rows[:, n]).tolist()) for n in range(2)}
        made[name] = pa.table({**columns, "id": pa.array([f"{name}-{n}" for n in range(len(rows))])})
        if timed:
            start = rng.integers(0, 10**9, len(rows))
            ended = rng.random(len(rows)) < 0.2
            ends = np.where(ended, start + rng.integers(1, 10**9, len(rows)), FOREVER)
            made[name] = (
                made[name].append_column("valid_from", pa.array(start)).append_column("valid_to", pa.array(ends))
            )
    return made


# ---- ours


def ours(title: str, rules: str, pairs: Pairs, *, proofs: bool = True, timed: bool = False) -> tuple[Result, Spent]:
    """Load, then evaluate."""
    compiled = compile(parse_program(rules))
    given = relations(pairs, timed)
    engine = Engine(compiled, LIMITS, key_of, proofs)
    arities = {**compiled.arities, **{name: arity_of(each) or 2 for name, each in given.items()}}
    with measured() as loading:
        engine.load(given, arities)
    with measured() as spent:
        engine.run()
    row(
        f"{title}, {'with' if proofs else 'no'} proofs", spent, f"{engine.derived:,} derived", f"load {loading.cpu:.2f}"
    )
    return Result(compiled, engine, dict(arities), "duckdb", LIMITS), spent


# ---- the same by hand


def by_hand(pairs: Pairs) -> tuple[Spent, int]:
    """The five memory rules as one would write them: ids, rule numbers and premise ids recorded."""
    con = connect(LIMITS)
    first = 0
    for name, rows in pairs.items():
        rows = np.unique(rows, axis=0)
        con.register("t", pa.table({"a": rows[:, 0], "b": rows[:, 1]}))
        con.execute(f"CREATE TABLE {name} AS SELECT {first} + row_number() OVER () AS id, a, b FROM t")
        first += len(rows)
    with measured() as spent:
        derived = hand_written(con, first + 1)
    con.close()
    return spent, derived


def hand_written(con: Any, start: int) -> int:
    """The statements. A proof is aggregated as one struct, or two derivations would be mixed."""
    ids = [start]

    def insert(table: str, columns: str, body: str, new: str = "") -> int:
        struct = "{'rule': rule, 'p0': p0, 'p1': p1, 'p2': p2}"
        found = f"SELECT {columns}, first({struct}) AS proof FROM ({body}) GROUP BY {columns}"
        shown = f"{ids[0]} + row_number() OVER (), proof.rule, proof.p0, proof.p1, proof.p2, {columns}"
        (count,) = con.execute(f"INSERT INTO {table} SELECT {shown} FROM ({found}) AS d {new}").fetchall()[0]
        ids[0] += count
        return int(count)

    for name, columns in (("loc", "a, b"), ("works_in", "a, b"), ("unplaced", "a"), ("contested", "a, b, c")):
        parts = ", ".join(f"{column} BIGINT" for column in columns.split(", "))
        con.execute(f"CREATE TABLE {name} (id BIGINT, rule INT, p0 BIGINT, p1 BIGINT, p2 BIGINT, {parts})")
    none = "NULL::BIGINT"
    base = f"SELECT a, b, 0 AS rule, id AS p0, {none} AS p1, {none} AS p2 FROM located_in"
    step = f"SELECT l.a, e.b, 1 AS rule, l.id AS p0, e.id AS p1, {none} AS p2 FROM loc l JOIN located_in e ON l.b = e.a"
    unknown = "WHERE NOT EXISTS (SELECT 1 FROM loc x WHERE x.a = d.a AND x.b = d.b)"
    lower, upper = ids[0], ids[0] + insert("loc", "a, b", base)
    while upper > lower:
        delta = f"{step} WHERE l.id > {lower} AND l.id <= {upper}"
        lower, upper = upper, upper + insert("loc", "a, b", delta, unknown)
    insert(
        "works_in",
        "a, b",
        "SELECT w.a, l.b, 2 AS rule, w.id AS p0, h.id AS p1, l.id AS p2 "
        "FROM employed_by w JOIN hq h ON w.b = h.a JOIN loc l ON h.b = l.a",
    )
    insert(
        "unplaced",
        "a",
        f"SELECT w.a, 3 AS rule, w.id AS p0, {none} AS p1, {none} AS p2 FROM employed_by w "
        "WHERE NOT EXISTS (SELECT 1 FROM hq h WHERE h.a = w.b)",
    )
    insert(
        "contested",
        "a, b, c",
        f"SELECT x.a, x.b, y.b AS c, 4 AS rule, x.id AS p0, y.id AS p1, {none} AS p2 "
        "FROM born_in x JOIN born_in y ON x.a = y.a WHERE x.b < y.b",
    )
    return ids[0] - start


def closure_by_hand(pairs: Pairs) -> tuple[Spent, int]:
    """Transitive closure by one recursive query: no proofs."""
    con = connect(LIMITS)
    con.register("t", pa.table({"a": pairs["edge"][:, 0], "b": pairs["edge"][:, 1]}))
    con.execute("CREATE TABLE edge AS SELECT DISTINCT a, b FROM t")
    with measured() as spent:
        con.execute(
            "CREATE TABLE path AS WITH RECURSIVE p(a, b) AS (SELECT a, b FROM edge UNION "
            "SELECT p.a, e.b FROM p JOIN edge e ON p.b = e.a) SELECT * FROM p"
        )
    (count,) = con.execute("SELECT count(*) FROM path").fetchall()[0]
    con.close()
    return spent, int(count)


# ---- others


def clingo(rules: str, pairs: Pairs) -> Spent | None:
    """Grounding is all the work: the programs are stratified."""
    try:
        from clingo import Control
    except ImportError:
        return None
    text = upper(rules) + "".join(f"{name}({a},{b}).\n" for name, rows in pairs.items() for a, b in rows.tolist())
    control = Control(["--warn=none"])
    with measured() as spent:
        control.add("base", [], text)
        control.ground([("base", [])])
    return spent


def nemo(rules: str, pairs: Pairs) -> Spent | None:
    """Nemo, by its Python binding."""
    try:
        nmo_python = import_module("nmo_python")
    except ImportError:
        return None
    text = "".join(f"{name}({a},{b}).\n" for name, rows in pairs.items() for a, b in rows.tolist())
    text += upper(rules, "?").replace("not ", "~")
    with measured() as spent:
        nmo_python.NemoEngine(nmo_python.load_string(text)).reason()
    return spent


def upper(rules: str, mark: str = "") -> str:
    """The rules with variables as the others write them: ours are the words of one letter."""
    return re.sub(r"\b([a-z])\b", lambda found: mark + found[1] if mark else found[1].upper(), rules)


def beside(title: str, rules: str, pairs: Pairs, names: Sequence[str]) -> None:
    """The other engines on the same program."""
    others: tuple[tuple[str, Callable[[str, Pairs], Spent | None]], ...] = (("clingo", clingo), ("nemo", nemo))
    for name, run in (each for each in others if each[0] in names):
        spent = run(rules, pairs)
        if spent is None:
            print(f"{title}, {name}: not installed")
        else:
            row(f"{title}, {name}", spent)


# ---- the report


def recursion(title: str, rules: str, pairs: Pairs, names: Sequence[str] = ("clingo", "nemo")) -> None:
    """One recursive program, every way."""
    ours(title, rules, pairs)
    ours(title, rules, pairs, proofs=False)
    if "edge" in pairs:
        spent, count = closure_by_hand(pairs)
        row(f"{title}, DuckDB by hand, no proofs", spent, f"{count:,}")
    beside(title, rules, pairs, names)


def claims(count: int) -> None:
    """The five memory rules over so many claims, and the withdrawal of one."""
    title, pairs = f"five rules, {count:,} claims", memory(count)
    ours(title, MEMORY, pairs, proofs=False)
    ours(f"{title} over time", MEMORY, pairs, timed=True)
    result, spent = ours(title, MEMORY, pairs)
    hand, derived = by_hand(pairs)
    row(f"{title}, DuckDB by hand, with proofs", hand, f"{derived:,} derived")
    print(f"{'':<44} ratio {spent.cpu / hand.cpu:.2f} CPU, {spent.wall / hand.wall:.2f} wall (budget 1.5)")
    beside(title, MEMORY, pairs, ("clingo", "nemo") if count <= 100_000 else ())
    withdraw(result, pairs)


def withdraw(result: Result, pairs: Pairs, times: int = 15) -> None:
    """One claim after the other is taken away."""
    chooser = random.Random(3)
    for name, rows in pairs.items():
        costs = []
        for _ in range(times):
            with measured() as spent:
                result = update(result, removed={f"{name}-{chooser.randrange(int(len(rows) * 0.9))}"})
            costs.append(spent)
        cpu, wall = (statistics.median(getattr(each, kind) for each in costs) for kind in ("cpu", "wall"))
        worst = max(each.wall for each in costs)
        print(
            f"  withdrawing one {name:<12} {cpu * 1e3:7.1f} ms CPU {wall * 1e3:7.1f} ms wall, worst {worst * 1e3:.1f}"
        )


def proving(result: Result) -> None:
    """Proofs, deeper and deeper: recorded for the first rounds, looked for beyond."""
    for depth in (10, 50, 200, 900):
        with measured() as spent:
            explanation = why(result, f'path("n0000000", "n{depth:07d}")', 200)
        whole = not any(node.partial for proof in explanation.proofs for node in proof.nodes())
        row(f"  proof of a path of {depth}", spent, "whole" if whole else "shown to a depth of 200")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="also the large sizes")
    parser.add_argument("--only", default="", help="chain, random, generation or claims")
    chosen = parser.parse_args()
    if chosen.only in ("", "chain"):
        recursion("closure, chain of 2,000", CLOSURE, chain(2_000), ("clingo",))  # nemo: minutes
        result, _ = ours("closure, chain of 1,000", CLOSURE, chain(1_000))
        proving(result)
    if chosen.only in ("", "random"):
        recursion("closure, 10,000 random edges", CLOSURE, random_graph(10_000))
        if chosen.full:
            recursion("closure, 50,000 random edges", CLOSURE, random_graph(50_000), ())
    if chosen.only in ("", "generation"):
        recursion("same generation, 1,200 nodes", GENERATION, tree(1_200, 3))
    if chosen.only in ("", "claims"):
        claims(100_000)
        if chosen.full:
            claims(1_000_000)


if __name__ == "__main__":
    main()
