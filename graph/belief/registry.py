"""The predicate registry: which predicates take one value, which several, and how else they behave."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hornbook.graph.claim import Cardinality
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.names import predicate_key, value_key

BUILT_IN = Path(__file__).with_name("predicates.toml")
FLAGS = ("fixed", "exact", "symmetric", "transitive")
TEXTS = ("inverse", "stored", "domain", "range")
PLAIN = ("date", "number", "quantity", "text")  # ranges whose values are no things of their own
KINDS = ("state", "event")
KNOWN = ("predicate", "cardinality", "kind", *FLAGS, *TEXTS, "synonyms")


@dataclass(frozen=True, slots=True)
class Predicate:
    """How one predicate behaves. Undeclared ones have the cardinality Unknown.

    `inverse` reads it from the value's end; `stored` is set on the inverse that is turned round when written.
    """

    key: str
    cardinality: Cardinality = Cardinality.UNKNOWN
    event: bool = False
    fixed: bool = False
    exact: bool = False
    symmetric: bool = False
    transitive: bool = False
    inverse: str | None = None
    stored: str | None = None
    synonyms: tuple[str, ...] = ()
    domain: str | None = None
    range: str | None = None

    @property
    def declared(self) -> bool:
        """Whether its cardinality is settled, by us or by the tenant."""
        return self.cardinality is not Cardinality.UNKNOWN

    @property
    def set_valued(self) -> bool:
        """Whether several values can hold at once."""
        return self.cardinality is Cardinality.SET_VALUED

    @property
    def mirror(self) -> str | None:
        """The predicate of the line that the value's entity sees, if it sees one."""
        return self.key if self.symmetric else self.inverse

    @property
    def dated(self) -> bool:
        """Whether its values are dates: then the same date in other words is the same value."""
        return self.range == "date"

    @property
    def names_things(self) -> bool:
        """Whether its values are things that have a node of their own: places, people, organizations."""
        return self.range is not None and self.range not in PLAIN

    def key_of(self, value: Any) -> str:
        """A text that two values share exactly when they are the same value of this predicate."""
        return value_key(value, exact=self.exact, dated=self.dated)


@dataclass(frozen=True, slots=True)
class Registry:
    """Every declaration known at one instant: the built-in ones, then the tenant's. A value: declaring gives another.

    >>> registry = built_in()
    >>> registry.resolve("Works at")[0].key, registry.resolve("daughter of")[0].key, registry.resolve("daughter of")[1]
    ('works_for', 'parent_of', True)
    >>> registry.resolve("favorite colour")[0].key, registry.resolve("gate code")[0].declared
    ('favourite_colour', False)
    """

    predicates: Mapping[str, Predicate]
    names: Mapping[str, str]  # synonym -> key
    own: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)  # the tenant's declarations, in order

    def named(self, text: str) -> Predicate:
        """The predicate that a text names, its synonyms resolved but not turned round: for asking."""
        key = predicate_key(text)
        key = self.names.get(key, key)
        return self.predicates.get(key) or self._by_prefix(key) or Predicate(key)

    def resolve(self, text: str) -> tuple[Predicate, bool]:
        """The predicate to store, and whether subject and value change places for it."""
        found = self.named(text)
        return (self.named(found.stored), True) if found.stored else (found, False)

    def declared(self, text: str) -> bool:
        """Whether the cardinality of a predicate is settled."""
        return self.named(text).declared

    def declare(self, declaration: Mapping[str, Any]) -> "Registry":
        """The registry with one more declaration, as a dict or the body of `predicate.declared`.

        Only what it says changes.

        Raises InvalidArgument, naming the field, for what is no declaration.

        >>> built_in().declare({"predicate": "gate code", "cardinality": "SetValued"}).named("gate_code").set_valued
        True
        """
        predicate = _declared(self.named(_key_of(declaration)), declaration)
        registry = _with(self, predicate)
        return replace(registry, own=(*self.own, MappingProxyType(dict(declaration))))

    def _by_prefix(self, key: str) -> Predicate | None:
        head, _, tail = key.partition("_")
        pattern = f"{head}_*"
        found = self.predicates.get(self.names.get(pattern, pattern)) if tail else None
        return replace(found, key=found.key.replace("*", tail), synonyms=()) if found else None


def from_toml(text: str, registry: Registry | None = None) -> Registry:
    """A registry with the declarations of a TOML text: `[lives_in]`, then `cardinality = "Functional"` and so on.

    >>> from_toml('[gate_code]\\nkind = "event"').named("gate code").event
    True
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgument(f"the declarations are not TOML: {error}", field="predicates") from None
    found = registry or built_in()
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise InvalidArgument(f"{name} is not a table", field=name, hint=f"write [{name}] and its keys below it")
        found = found.declare({"predicate": name, **table})
    return found


@lru_cache(1)
def built_in() -> Registry:
    """The vocabulary that hornbook comes with."""
    tables = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))
    predicates = [_built(key, entry) for table in tables.values() for key, entry in table.items()]
    names = {predicate_key(name): predicate.key for predicate in predicates for name in predicate.synonyms}
    return Registry(MappingProxyType({p.key: p for p in predicates}), MappingProxyType(names))


def _built(key: str, entry: Mapping[str, Any]) -> Predicate:
    several = entry.get("set", False) or entry.get("event", False)
    plain = {name: entry[name] for name in (*FLAGS, *TEXTS, "event") if name in entry}
    cardinality = Cardinality.SET_VALUED if several else Cardinality.FUNCTIONAL
    return Predicate(key, cardinality, synonyms=tuple(entry.get("synonyms", ())), **plain)


def _key_of(declaration: Mapping[str, Any]) -> str:
    name = declaration.get("predicate")
    if not isinstance(name, str) or not predicate_key(name):
        raise InvalidArgument("a declaration needs the name of its predicate", field="predicate")
    return name


def _declared(known: Predicate, declaration: Mapping[str, Any]) -> Predicate:
    """The predicate with what the declaration says about it."""
    for name in declaration.keys() - set(KNOWN) - {"reason"}:
        raise InvalidArgument(f"a predicate has no '{name}'", field=name, valid=KNOWN)
    changes: dict[str, Any] = {}
    for name in FLAGS:
        if name in declaration:
            changes[name] = _flag(name, declaration[name])
    for name in TEXTS:
        if declaration.get(name) is not None:
            changes[name] = _text(name, declaration[name])
    if "kind" in declaration:
        changes["event"] = _one_of("kind", declaration["kind"], KINDS) == "event"
    if "synonyms" in declaration:
        changes["synonyms"] = (*known.synonyms, *_texts("synonyms", declaration["synonyms"]))
    return replace(known, cardinality=_cardinality(known, declaration, changes), **changes)


def _cardinality(known: Predicate, declaration: Mapping[str, Any], changes: Mapping[str, Any]) -> Cardinality:
    if changes.get("event"):
        return Cardinality.SET_VALUED
    given = declaration.get("cardinality")
    if given is None:
        return known.cardinality
    return Cardinality(_one_of("cardinality", given, tuple(kind.value for kind in Cardinality)))


def _with(registry: Registry, predicate: Predicate) -> Registry:
    """The registry with a predicate in it; an inverse that nobody declared reads as set-valued."""
    predicates = {**registry.predicates, predicate.key: predicate}
    inverse = predicate.inverse
    if inverse and inverse not in predicates:
        predicates[inverse] = Predicate(
            inverse, Cardinality.SET_VALUED, event=predicate.event, inverse=predicate.key, stored=predicate.key
        )
    names = {**registry.names, **{predicate_key(name): predicate.key for name in predicate.synonyms}}
    names.pop(predicate.key, None)
    return replace(registry, predicates=MappingProxyType(predicates), names=MappingProxyType(names))


def _flag(name: str, given: object) -> bool:
    if isinstance(given, bool):
        return given
    raise InvalidArgument(f"{name} is true or false", field=name, valid=("true", "false"))


def _text(name: str, given: object) -> str:
    if isinstance(given, str) and given.strip():
        return predicate_key(given) if name in ("inverse", "stored") else given.strip()
    raise InvalidArgument(f"{name} is a text", field=name)


def _texts(name: str, given: object) -> tuple[str, ...]:
    if isinstance(given, Iterable) and not isinstance(given, str | Mapping):
        return tuple(_text(name, item) for item in given)
    raise InvalidArgument(f"{name} is a list of texts", field=name)


def _one_of(name: str, given: object, valid: tuple[str, ...]) -> str:
    for choice in valid:
        if isinstance(given, str) and given.strip().casefold() == choice.casefold():
            return choice
    raise InvalidArgument(f"{name} is none of {', '.join(valid)}", field=name, valid=valid)
