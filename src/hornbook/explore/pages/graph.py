"""The graph: entities and what is said between them, to be walked through; a still picture without scripts."""

from hornbook.display.markup import Markup, join, tag
from hornbook.explore.pages.pictures import DEEPEST
from hornbook.explore.parts import hidden, link, void
from hornbook.explore.visit import CLOCKS, Page, Visit

MANY = 5_000  # events above which the picture on an entity's page is drawn when it is asked for


def graph(visit: Visit) -> Page:
    """The whole graph, or what is around somebody or something."""
    around, depth = visit.asked("around", 300), visit.number("depth", 2, DEEPEST)
    title = f"Around {around}" if around else "The whole graph"
    main = join([tag("h1", title), _narrowed(visit, around, depth), mount(visit, around or None, depth)])
    return Page(title, main, "/graph", graph=True)


def _narrowed(visit: Visit, around: str, depth: int) -> Markup:
    name = void("input", name="around", value=around, placeholder="everything", maxlength=300, autocomplete="off")
    steps = void("input", name="depth", type="number", value=depth, min=1, max=DEEPEST)
    clocks = hidden({one: visit.given.get(one, "") for one in CLOCKS})
    fields = [tag("label", tag("span", "Around"), name), tag("label", tag("span", "steps"), steps)]
    return tag("form", *fields, *clocks, tag("button", "Show", type="submit"), action="/graph", class_="narrow")


def mount(visit: Visit, around: str | None, depth: int, *, small: bool = False) -> Markup:
    """Where the picture is drawn."""
    asked = {"around": around, "depth": depth if around else None}
    still = void("img", src=visit.to("/still.svg", **asked), alt="the graph as a picture", loading="lazy")
    wide = link(visit.to("/graph", around=around, depth=2 if around else None), "walk through it")
    wait = "" if small and visit.head > MANY else None
    place = tag(
        "div", data_wait=wait, class_="graph small" if small else "graph", data_graph=visit.to("/graph.json", **asked)
    )
    return join([place, tag("noscript", still), tag("p", wide, class_="more") if small else Markup()])
