"""Provenance as people and programs write it."""

import re
from collections.abc import Mapping
from typing import Any

from hornbook.graph.claim import Provenance
from hornbook.graph.errors import Forbidden, InvalidArgument

SEPARATORS = re.compile(r"[^a-z]+")
VALID = tuple(kind.value for kind in Provenance)
KINDS = ("UserAsserted", "ExternalFirstHand")
SPELLINGS = {
    "externaluserasserted": Provenance.USER_ASSERTED,
    "userasserted": Provenance.USER_ASSERTED,
    "externalexternalfirsthand": Provenance.FIRST_HAND,
    "externalfirsthand": Provenance.FIRST_HAND,
    "modelderived": Provenance.MODEL_DERIVED,
    "recallreentry": Provenance.RECALL,
}


def parse_provenance(given: object, field: str = "provenance") -> Provenance:
    """Provenance from a text, without regard to case and separators, or from its wire dict.

    >>> parse_provenance("external user-asserted").value, parse_provenance({"type": "ModelDerived"}).value
    ('External:UserAsserted', 'ModelDerived')
    >>> parse_provenance("Rumour")
    Traceback (most recent call last):
    hornbook.graph.errors.InvalidArgument: provenance is none of the kinds there are: 'Rumour'
    """
    if isinstance(given, Provenance):
        return given
    if isinstance(given, Mapping):
        return _from_wire(given, field)
    found = SPELLINGS.get(_letters(given))
    if found is None:
        what = "missing" if given is None else f"none of the kinds there are: {_excerpt(given)}"
        raise InvalidArgument(f"{field} is {what}", field=field, valid=VALID)
    return found


def to_wire(provenance: Provenance) -> dict[str, str]:
    """Provenance as a wire dict.

    >>> to_wire(Provenance.FIRST_HAND)
    {'type': 'External', 'kind': 'ExternalFirstHand'}
    """
    kind, _, detail = provenance.value.partition(":")
    return {"type": kind, "kind": detail} if detail else {"type": kind}


def external_only(provenance: Provenance, what: str) -> None:
    """Refuse what only people and instruments may do."""
    if not provenance.external:
        raise Forbidden(
            f"{provenance.value} cannot {what}",
            field="provenance",
            hint="only what a person or an instrument says can",
            valid=[kind.value for kind in Provenance if kind.external],
        )


def _from_wire(given: Mapping[Any, Any], field: str) -> Provenance:
    for key in given.keys() - {"type", "kind"}:
        raise InvalidArgument(f"{field} has no '{key}'", field=field, valid=("type", "kind"))
    kind = _letters(given.get("type"))
    if kind != "external":
        found = SPELLINGS.get(kind)
        if found is None or found.external or given.get("kind") is not None:
            raise InvalidArgument(f"{field} is no provenance: {_excerpt(given)}", field=field, valid=VALID)
        return found
    found = SPELLINGS.get(_letters(given.get("kind")))
    if found is None or not found.external:
        raise InvalidArgument(
            f"{field}.kind is none of the External kinds: {_excerpt(given.get('kind'))}",
            field=f"{field}.kind",
            valid=KINDS,
        )
    return found


def _letters(given: object) -> str:
    return SEPARATORS.sub("", given.casefold()) if isinstance(given, str) else ""


def _excerpt(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 60 else text[:57] + "..."
