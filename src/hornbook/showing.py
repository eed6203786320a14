"""The facade's part on looking: what a memory shows in a notebook, as a picture, as a data frame."""

from typing import TYPE_CHECKING, Any

from hornbook.claiming import When, instant
from hornbook.graph.belief.validate import checked_name
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument, NotFound

if TYPE_CHECKING:
    from hornbook.display.page.document import Page
    from hornbook.display.page.inferred import Inferred
    from hornbook.display.svg import Picture
    from hornbook.graph.store import Reading, Store

DEEPEST = 8  # steps from the entity that a picture is drawn around
MOST_NODES = 400  # of a picture: more cannot be read, and the layout takes long
MOST_MOVED = 10_000  # nodes of a page, in which one moves about


class Showing:
    """What a memory does to be looked at. Nothing is written, and nothing is fetched."""

    _store: "Store"
    user: str

    def _repr_html_(self) -> str:
        from hornbook.display.found import memory
        from hornbook.graph.view import queries

        with self._store.reading() as reading:
            return memory(self.user, {"events": reading.upto, **reading.ask(queries.counts, upto=reading.upto)})

    def claims_frame(self, *, knowledge_at: When = None, library: str | None = None) -> Any:
        """Every claim as a row of a data frame, oldest first: what it says, since when, who said so, how it stands.

        A pandas frame where pandas is installed, else a polars one; `library` names one of the two. Values are texts:
        what is no text stands there as JSON. InvalidArgument where neither is installed.
        """
        from hornbook.display.frames import claim_rows, frame, library_of

        made = library_of(library)
        with self._store.reading(_known(knowledge_at)) as reading:
            return frame(made, claim_rows(reading))

    def lines_frame(self, *, valid_at: When = None, knowledge_at: When = None, library: str | None = None) -> Any:
        """Every line as a row of a data frame: its status, what is believed, how many other sides are shown.

        It holds what was said, not what rules derive. The library is chosen as by `claims_frame`.
        """
        from hornbook.display.frames import frame, library_of, line_rows

        made = library_of(library)
        with self._store.reading(_known(knowledge_at)) as reading:
            return frame(made, line_rows(reading, instant(reading, valid_at, knowledge_at)))

    def timeline(self, subject: str, predicate: str, *, knowledge_at: When = None) -> "Picture":
        """A line as an SVG: valid time across, known time down, a band for each time what is known about it changed.

        Contested windows are hatched. NotFound where nobody spoke about the line.
        """
        from hornbook.display.timeline import drawn, states

        names = checked_name(subject, "subject"), checked_name(predicate, "predicate")
        found = states(self._store, *names, _known(knowledge_at))
        if not found.bands:
            raise NotFound(f"nobody spoke of {names[0][:80]} {names[1][:80]}", field="subject")
        return drawn(found)

    def show(
        self,
        around: str | None = None,
        depth: int = 2,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        most: int = 3_000,
    ) -> "Page":
        """The graph as a page to move about in: search, filter, and a slider for each of the two clocks.

        It begins at `valid_at`, as known at `knowledge_at` (nothing that became known later is in it), and shows at
        every position of the sliders what `believe` says there. A notebook shows it; `save("x.html")` writes one file
        that fetches nothing, `open()` shows it in a browser. Of more than `most` nodes (up to 10,000) the best
        connected are in it, and it says so.
        """
        from hornbook.display.page.data import graph_data
        from hornbook.display.page.document import Page

        _bounded(depth, DEEPEST, "depth")
        _bounded(most, MOST_MOVED, "most")
        centre = None if around is None else checked_name(around, "around")
        with self._store.reading(_known(knowledge_at)) as reading:
            at = instant(reading, valid_at, knowledge_at)
            data = graph_data(reading, at, centre, depth, most, self._inferred, self.user)
        return Page(f"{self.user}: {data['title']}", data)

    def _inferred(self, reading: "Reading") -> "Inferred | None":
        """What rules derive; nothing where there are no rules."""
        from hornbook.display.page.inferred import Inferred

        return Inferred()

    def plot(
        self,
        around: str | None = None,
        depth: int = 2,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        most: int = 150,
    ) -> "Picture":
        """The graph as an SVG: entities, what is said of them as arrows, contested ones in their own colour.

        `around` and `depth` narrow it to what is so many steps from an entity. Of more than `most` nodes the best
        connected are drawn, and the picture says so. The same memory gives the same picture.
        """
        from hornbook.display.network import drawn, network

        _bounded(depth, DEEPEST, "depth")
        _bounded(most, MOST_NODES, "most")
        centre = None if around is None else checked_name(around, "around")
        with self._store.reading(_known(knowledge_at)) as reading:
            at = instant(reading, valid_at, knowledge_at)
            return drawn(network(reading, at, centre, depth, most, self._inferred))


def _known(knowledge_at: When) -> int | None:
    return None if knowledge_at is None else parse_moment(knowledge_at, "knowledge_at").at


def _bounded(number: object, most: int, field: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise InvalidArgument(f"{field} must be 1 to {most}", field=field)
