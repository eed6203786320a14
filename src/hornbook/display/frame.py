"""The frame that every display stands in: its style, for light and dark, a heading, tables."""

import re
from collections.abc import Iterable, Sequence

from hornbook.display.markup import Markup, join, tag, text

LIGHT = "--hb-bad:#b42318;--hb-good:#1a7f37;--hb-soft:#667085"
DARK = "--hb-bad:#ff8a80;--hb-good:#7ee2a8;--hb-soft:#9aa4b2"
# Text takes the page's own colour, and a notebook that says of itself whether it is light is believed before the
# system. `.hb.hb` outdoes what notebooks say of all tables: right-aligned, striped, as narrow as it gets.
STYLE = Markup(
    f".hb{{font:13px/1.45 system-ui,sans-serif;color:inherit;overflow-x:auto;{LIGHT};--hb-line:rgba(128,128,128,.35)}}"
    f"@media (prefers-color-scheme:dark){{.hb{{{DARK}}}}}"
    f"[data-jp-theme-light=true] .hb,.vscode-light .hb{{{LIGHT}}}"
    f"[data-jp-theme-light=false] .hb,.vscode-dark .hb{{{DARK}}}"
    ".hb.hb table{border-collapse:collapse;margin:.3em 0;color:inherit;background:none;table-layout:auto;width:auto;"
    "border:0;font-size:13px}.hb.hb tr{background:none}"
    ".hb.hb th,.hb.hb td{text-align:left;vertical-align:top;padding:.15em .9em .15em 0;border:0;"
    "border-bottom:1px solid var(--hb-line);background:none;color:inherit;max-width:42em;white-space:normal;"
    "overflow-wrap:anywhere}"
    ".hb.hb th{font-weight:600;color:var(--hb-soft);white-space:nowrap}.hb.hb .short{white-space:nowrap}"
    ".hb.hb .long{min-width:14em}"
    ".hb.hb ul,.hb.hb li{list-style:none}.hb.hb ul{margin:0;padding-left:1.1em;border-left:1px solid var(--hb-line)}"
    ".hb.hb code,.hb.hb pre{font:12px/1.45 ui-monospace,monospace;background:none;color:inherit;padding:0}"
    ".hb.hb pre{white-space:pre-wrap;margin:.3em 0}"
    ".hb.hb .soft{color:var(--hb-soft)}.hb.hb .bad{color:var(--hb-bad)}.hb.hb .good{color:var(--hb-good)}"
    # an id is there to be copied, not read: its end is shown, and a click takes all of it
    ".hb.hb .ref{color:var(--hb-soft);white-space:nowrap;user-select:all}.hb .ref::before{content:'…'}"
    ".hb .ref span{font-size:0}"
)
NARROW = 24  # letters of a cell that is not broken over lines
SHOWN = 6  # letters of an id
ROWS = 50  # of a table; the rest is counted


def framed(*parts: Markup) -> str:
    """A display, whole: nothing in it comes from elsewhere."""
    return tag("div", tag("style", STYLE), *parts, class_="hb")


def heading(title: object, *more: object) -> Markup:
    """A first line: what it is about, and what there is to say at once."""
    rest = join([tag("span", " · ", one) for one in more if one])
    return tag("div", tag("b", title), rest, "\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """A table without its empty columns; of many rows the first, and how many more there are."""
    every = [[cell if cell is not None else "" for cell in row] for row in rows]
    kept = [at for at in range(len(columns)) if any(row[at] != "" for row in every)]
    head = tag("tr", *(tag("th", columns[at], " ") for at in kept))
    lines = [tag("tr", *(_cell(row[at]) for at in kept), "\n") for row in every[:ROWS]]
    more = len(every) - ROWS
    note = tag("div", f"… and {more} more", class_="soft") if more > 0 else Markup()
    return join([tag("table", tag("thead", head, "\n"), tag("tbody", *lines)), note]) if every else Markup()


def _cell(value: object) -> Markup:
    shown = re.sub("<code class=.ref.*?</code>|<[^>]*>|&[^;]*;", "", text(value))
    return tag("td", value, " ", class_="short" if len(shown) <= NARROW else "long")


def ref(id_: object) -> Markup:
    """An id: shown short, and whole for whoever copies or listens."""
    whole = str(id_ or "")
    return tag("code", tag("span", whole[:-SHOWN]), whole[-SHOWN:], class_="ref") if whole else Markup()


def known(at: str) -> Markup:
    """As of which known instant something is told; to the microsecond it stands in the value."""
    return soft(f"as known {moment(at)}")


def moment(at: str | None) -> str:
    """A known instant for a cell: to the second, without what is midnight.

    >>> moment("2024-05-02T19:40:01.250000Z"), moment("2024-05-02T00:00:00Z"), moment(None)
    ('2024-05-02 19:40:01', '2024-05-02', '')
    """
    return (at or "").removesuffix("Z").partition(".")[0].removesuffix("T00:00:00").replace("T", " ")


def soft(words: object) -> Markup:
    """Something beside the point; nothing where there is nothing to say."""
    return tag("span", words, class_="soft") if words else Markup()


def coloured(status: str) -> Markup:
    """A status or a disposition in its colour; the word alone says it too."""
    kinds = {"resolved": "good", "contested": "bad", "conflict": "bad", "queued": "bad", "pendingconflict": "bad"}
    return tag("span", status, class_=f"{kinds.get(status.lower(), '')} short".strip() if status else None)
