"""The dictionary of terms in DuckDB: keys to numbers and back, and how each term is written."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hornbook.reasoning.relation import Row
from hornbook.reasoning.sql import FACT
from hornbook.reasoning.terms import Key, rank

if TYPE_CHECKING:
    import duckdb


class Terms:
    """The table `terms`. As long as `ordered`, ids are in the order of terms, and `<` compares ids."""

    def __init__(self, con: "duckdb.DuckDBPyConnection", key: Callable[[Any], Key]) -> None:
        self.con, self.key = con, key
        self.written: dict[Key, Any] = {}  # terms looked up or computed so far
        self.numbers: dict[Key, int] = {}  # ids looked up so far; they never change
        self.next_term = 0
        self.ordered = True

    def made(self, value: Any) -> Key:
        """The key of a computed value."""
        key = self.key(value)
        self.written.setdefault(key, value)
        return key

    def value(self, key: Key) -> Any:
        """The term as written."""
        if key not in self.written:
            found = self.con.execute("SELECT shown FROM terms WHERE key = ?", [key]).fetchall()
            self.written[key] = json.loads(found[0][0] if found else key)
        return self.written[key]

    def term_ids(self, keys: Iterable[Key]) -> dict[Key, int]:
        """The ids of terms; new ones are numbered."""
        import pyarrow as pa

        wanted = list(dict.fromkeys(keys))
        self.con.register("in_wanted", pa.table({"key": pa.array(wanted, pa.string())}))
        found = dict(self.con.execute("SELECT key, id FROM terms JOIN in_wanted USING (key)").fetchall())
        self.con.unregister("in_wanted")
        rows = []
        for key in wanted:
            if key not in found:
                found[key] = self.next_term
                self.next_term += 1
                kind, number, text = rank(key)
                rows.append((found[key], key, json.dumps(self.value(key), ensure_ascii=False), kind, number, text))
        if rows:
            self.ordered = False
            self._append_terms(rows)
        return found

    def _append_terms(self, rows: Sequence[tuple[Any, ...]]) -> None:
        import pyarrow as pa

        names = ("id", "key", "shown", "kind", "num", "txt")
        types = (pa.int64(), pa.string(), pa.string(), pa.int8(), pa.float64(), pa.string())
        columns = {n: pa.array(c, t) for n, c, t in zip(names, zip(*rows, strict=True), types, strict=True)}
        self.con.register("in_terms", pa.table(columns))
        self.con.execute("INSERT INTO terms SELECT id, key, shown, kind, num, txt FROM in_terms")
        self.con.unregister("in_terms")

    def find(self, key: Key) -> int | None:
        """The id of a term, if it has one."""
        if key not in self.numbers:
            found = self.con.execute("SELECT id FROM terms WHERE key = ?", [key]).fetchall()
            if not found:
                return None
            self.numbers[key] = int(found[0][0])
        return self.numbers[key]

    def learn_terms(self, table: str, arity: int) -> None:
        """Number the terms of a registered relation that are new."""
        parts = [f"SELECT k{n} AS key, v{n} AS shown FROM {table}" for n in range(arity)]
        union = " UNION ALL ".join(parts) or "SELECT NULL AS key, NULL AS shown WHERE false"
        text = f"SELECT key, min(shown) FROM ({union}) WHERE key NOT IN (SELECT key FROM terms) GROUP BY key"
        found = self.con.execute(text).fetchall()
        self.written |= {key: json.loads(shown) for key, shown in found}
        self.term_ids(key for key, _ in found)


def decoded(predicate: str, arity: int, each: tuple[Any, ...]) -> Row:
    """A row as `sql.rows` gives it."""
    number, rule, start, end, doubt, source, confidence, external, *rest = each
    premises = tuple(each for each in rest[arity:] if each is not None)
    stated = rule == FACT
    return Row(
        number,
        predicate,
        tuple(rest[:arity]),
        start,
        end,
        doubt,
        None if stated else rule,
        premises,
        source if stated else None,
        confidence if stated else 1.0,
        bool(external) if stated else False,
    )
