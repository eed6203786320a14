"""What stands around every page: the bars at the top, the way to every part, and the foot."""

from collections.abc import Sequence

from hornbook.display.markup import Markup, join, tag
from hornbook.explore.parts import NONE, hidden, link, void, words
from hornbook.explore.visit import CLOCKS, Page, Visit

PARTS = (("/contested", "Contested"), ("/rules", "Rules"), ("/graph", "Graph"))
GRAPH = (
    void("link", rel="stylesheet", href="/assets/graph.css"),
    tag("script", src="/assets/graph.js", defer=""),  # before ours, which draws with it
)
KEYS = (
    ("/", "search"),
    ("j, k or arrows", "down and up in a list"),
    ("Enter", "open"),
    ("Esc", "leave a field or this list"),
    ("[ and ]", "one step back or on in time, where a page has steps"),
    ("v", "set when it is true"),
    ("n", "set as of when it is known"),
    ("g s", "start"),
    ("g c", "contested"),
    ("g r", "rules and questions"),
    ("g g", "graph"),
    ("?", "these keys"),
)


def whole(visit: Visit, page: Page) -> str:
    """A page as it is sent."""
    title = f"{page.title} · {visit.memory.user} · hornbook" if page.title else f"{visit.memory.user} · hornbook"
    main = tag("main", page.main, id="main", tabindex="-1")
    body = (_top(visit, page.part), _clocks(visit), main, _foot(visit), _keys())
    return _document(title, *body, more=GRAPH if page.graph else ())


def bare(title: str, code: str, mend: str) -> str:
    """A page for somebody who may not see the memory: nothing of it is in it."""
    said = tag("main", tag("h1", title), tag("p", mend), tag("p", tag("code", code), class_="quiet"), id="main")
    return _document(f"{title} · hornbook", said)


def _document(title: str, *body: Markup, more: Sequence[Markup] = ()) -> str:
    head = tag(
        "head",
        void("meta", charset="utf-8"),
        tag("title", title),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("link", rel="stylesheet", href="/assets/explore.css"),
        void("link", rel="icon", href="/assets/icon.svg", type="image/svg+xml"),
        *more,
        tag("script", src="/assets/explore.js", defer=""),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', *body), lang='en')}\n"


def _top(visit: Visit, part: str) -> Markup:
    ways = [link(visit.to(path), name, aria_current="page" if path == part else None) for path, name in PARTS]
    clocks = {name: visit.given.get(name, "") for name in CLOCKS}
    field = void(
        "input",
        type="search",
        name="q",
        id="search",
        value=visit.given.get("q", "") if part == "/search" else "",
        placeholder="Search this memory",
        aria_label="Search this memory",
        autocomplete="off",
        maxlength=2_000,
    )
    search = tag("form", field, *hidden(clocks), action="/search", role="search", class_="search")
    mark = link(visit.to("/"), tag("span", "hornbook"), class_="mark", aria_current="page" if part == "/" else None)
    skip = link("#main", "To the content", class_="skip")
    return join([skip, tag("header", mark, " ", search, tag("nav", words(ways), aria_label="Parts"), class_="top")])


def _clocks(visit: Visit) -> Markup:
    """Both clocks. What is set stays in the address of every link, so that a page can be come back to."""
    rest = {name: what for name, what in visit.given.items() if name not in (*CLOCKS, "cursor")}
    valid = _clock("valid_at", "True at", visit.valid_at, "then" if visit.known_at else "now")
    known = _clock("known_at", "As known at", visit.known_at, "now")
    now = link(visit.here(valid_at=None, known_at=None), "Back to now", class_="now") if _moved(visit) else NONE
    button = tag("button", "Set", type="submit")
    form = tag("form", *hidden(rest), valid, known, button, now, action=visit.path, aria_label="Both clocks")
    return tag("div", form, class_="clocks moved" if _moved(visit) else "clocks")


def _moved(visit: Visit) -> bool:
    return bool(visit.valid_at or visit.known_at)


def _clock(name: str, label: str, at: str, empty: str) -> Markup:
    hint = "2024, 2024-03, 2024-03-15 or 2024-03-15T10:00:00Z; empty for now"
    field = void("input", name=name, id=name, value=at, placeholder=empty, title=hint, autocomplete="off", maxlength=64)
    return tag("label", tag("span", label), " ", field, for_=name)


def _foot(visit: Visit) -> Markup:
    told = f"as known {visit.known['knowledge_at']}, true {visit.valid_at or visit.known_at or 'now'}"
    lasting = link(visit.lasting, "link to this page as it is now", rel="bookmark")
    writes = "may resolve contests" if visit.form else "read-only"
    keys = link(visit.to("/keys"), "keys", class_="keys")
    return tag("footer", words([tag("span", told), lasting, tag("span", writes), keys]))


def key_list() -> Markup:
    """Every key with what it does."""
    return tag("dl", *(join([tag("dt", tag("kbd", key)), tag("dd", does)]) for key, does in KEYS), class_="keylist")


def _keys() -> Markup:
    close = tag("form", tag("button", "Close"), method="dialog")
    return tag("dialog", tag("h2", "Keys"), key_list(), close, id="keys", aria_label="Keys")
