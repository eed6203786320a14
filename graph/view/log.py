"""The log of a node: its states by journal position, one line each, `<seq> <JSON>`, oldest first."""

import json
from typing import Any

_encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False)


def dumped(value: Any) -> str:
    """JSON text that is equal for equal values."""
    return _encoder.encode(value)


def entry(seq: int, value: Any) -> str:
    r"""One line of a log.

    >>> entry(7, {"live": True})
    '7 {"live":true}\n'
    """
    return f"{seq} {dumped(value)}\n"


def entries(log: str, upto: int) -> list[tuple[int, str]]:
    r"""The lines known at `upto`, oldest first, their JSON not parsed.

    >>> entries('3 {"a":1}\n9 {"a":2}\n', upto=8)
    [(3, '{"a":1}')]
    """
    lines = (line.partition(" ") for line in log.split("\n") if line)
    return [(int(seq), text) for seq, _, text in lines if int(seq) <= upto]


def latest(log: str, upto: int) -> str:
    r"""The JSON of the last line known at `upto`; the first line if there is none so old.

    >>> latest('3 {"a":1}\n9 {"a":2}\n', upto=8), latest('3 {"a":1}\n9 {"a":2}\n', upto=9)
    ('{"a":1}', '{"a":2}')
    """
    rest = log[:-1]
    while True:
        rest, found, last = rest.rpartition("\n")
        seq, _, text = last.partition(" ")
        if not found or int(seq) <= upto:
            return text


def merged(log: str, upto: int) -> dict[str, Any]:
    r"""The state that a log of partial changes amounts to at `upto`: later keys win, lists grow.

    >>> merged('3 {"type":null,"aliases":["Ana"]}\n9 {"aliases":["Annie"]}\n', upto=9)
    {'type': None, 'aliases': ['Ana', 'Annie']}
    """
    state: dict[str, Any] = {}
    for _, text in entries(log, upto):
        for key, value in json.loads(text).items():
            grows = isinstance(value, list) and isinstance(state.get(key), list)
            state[key] = state[key] + value if grows else value
    return state
